-- Drives another Neovim, which is set up as the documentation says, by its keys: the program, the file of its
-- settings, the file that it opens. Prints what was seen as JSON.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, line, lua = editor.await, editor.keys, editor.line, editor.lua
editor.start(unpack(arg))

--- The ghost text on the screen, all of its lines.
local function ghost()
  local shown = lua([[
    local namespace = vim.api.nvim_get_namespaces()['nvim.lsp.inline_completion']
    local mark = namespace and vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })[1]
    if not mark then return '' end
    local lines = { mark[4].virt_text[1][1] }
    for _, it in ipairs(mark[4].virt_lines or {}) do table.insert(lines, it[1][1]) end
    return table.concat(lines, '\n')
  ]])
  return shown ~= '' and shown
end

lua([[
  Asked = {}
  vim.api.nvim_create_autocmd('LspRequest', {
    callback = function(it)
      if it.data.request.type == 'complete' then table.insert(Asked, it.data.request.method) end
    end,
  })
]])
await('a client', function()
  return lua([[local it = vim.lsp.get_clients({ name = 'foreword' })[1] return it and it.initialized or false]])
end)
await('an index', function()
  return lua([[
    local it = vim.lsp.get_clients({ name = 'foreword' })[1]
    local found = it:request_sync('workspace/symbol', { query = 'install' })
    return found and #found.result > 0
  ]])
end)

local seen = {}
keys('Go<CR>def step_9(job):<CR>check_permissions(job)<CR>')
seen.shown = await('ghost text', ghost)
keys('logger')
-- Until the server has answered anew, Neovim shows the old item, cut to what is left of it, but would insert all of it.
local answered = #lua('return Asked')
seen.rest = await('shorter ghost text', function()
  return #lua('return Asked') > answered and vim.endswith(line(), 'logger') and ghost()
end)
keys('<Tab>')
await('the text', function()
  return not vim.endswith(line(), 'logger')
end)
seen.asked = await('the command', function()
  local all = lua('return Asked')
  return vim.tbl_contains(all, 'workspace/executeCommand') and all
end)
editor.finish(seen)
