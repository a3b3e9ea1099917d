-- Drives another Neovim, in which llama.vim completes, by its keys: the program, the file of its settings, the file that
-- it opens. Prints what was seen as JSON.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, line, lua = editor.await, editor.keys, editor.line, editor.lua
editor.start(unpack(arg))

--- The ghost text on the screen, all of its lines, and what llama.vim says beside it; nothing where it is blank.
local function ghost()
  local shown = lua([[
    local namespace = vim.api.nvim_get_namespaces().vt_fim
    local marks = namespace and vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true }) or {}
    local lines, info = {}, ''
    for _, mark in ipairs(marks) do
      for at, part in ipairs(mark[4].virt_text or {}) do
        if at == 1 then table.insert(lines, 1, part[1]) else info = part[1] end
      end
      for _, it in ipairs(mark[4].virt_lines or {}) do table.insert(lines, it[1][1]) end
    end
    return { text = table.concat(lines, '\n'), info = info }
  ]])
  return shown.text ~= '' and shown
end

--- How many requests of llama.vim are over, warm-ups for the most part.
local function asked()
  local endpoint = lua('return vim.g.llama_config.endpoint_fim')
  local requests = endpoint:gsub('/infill$', '/api/requests')
  local answer = vim.system({ 'curl', '--silent', requests }):wait()
  local done = vim.json.decode(answer.stdout).requests
  return #vim.tbl_filter(function(it)
    return it['end'] == 'done'
  end, done)
end

--- Shows a file.
local function open(file)
  keys(':edit ' .. file .. '<CR>')
  await(file, function()
    return vim.endswith(lua("return vim.fn.expand('%:p')"), file)
  end)
end

-- llama.vim gathers what is on the screen when a file is entered and left. While nobody types it hands that to the
-- server, a chunk a second.
local file = arg[3]
open('notes/ledger.py')
open(file)
await('a warm-up for each of two files', function()
  return asked() >= 2
end)

local seen = {}
keys('Go<CR>def reorder(cart, names):<CR>for name in names:<CR>cart.')
local shown = await('ghost text', function()
  return vim.endswith(line(), 'cart.') and ghost()
end)
seen.shown, seen.info = shown.text, shown.info
keys('<Tab>')
await('the text', function()
  return not vim.endswith(line(), 'cart.')
end)
editor.finish(seen)
