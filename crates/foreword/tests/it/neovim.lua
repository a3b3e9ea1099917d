-- Another Neovim, driven by its keys: what the tests in lsp/neovim.lua and serve/llama_vim.lua do with it.

local editor = {}
local child

--- Starts `program` with the settings of a file, on another file.
function editor.start(program, init, file)
  child = vim.fn.jobstart(
    { program, '--embed', '--headless', '-n', '-i', 'NONE', '-u', init, file },
    { rpc = true }
  )
end

--- Runs code in it.
function editor.lua(code, ...)
  return vim.rpcrequest(child, 'nvim_exec_lua', code, { ... })
end

--- Types.
function editor.keys(text)
  vim.rpcrequest(child, 'nvim_input', text)
end

--- The line of the cursor.
function editor.line()
  return editor.lua('return vim.api.nvim_get_current_line()')
end

--- Waits until it gives something.
function editor.await(what, find)
  local found
  vim.wait(30000, function()
    found = find()
    return found
  end, 20)
  return found or error('nothing came: ' .. what)
end

--- Leaves by `command` (`wq` if there is none), and prints what was seen as JSON. The keys are sent without waiting for
--- an answer: a Neovim that leaves may close the channel first.
function editor.finish(seen, command)
  vim.rpcnotify(child, 'nvim_input', '<Esc>:' .. (command or 'wq') .. '<CR>')
  vim.fn.jobwait({ child }, 10000)
  io.write(vim.json.encode(seen), '\n')
end

return editor
