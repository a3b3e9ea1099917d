-- Drives another Neovim that has the plugin of editors/neovim: a function is renamed, the rest follows by one key. Prints
-- what was seen as JSON.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, line, lua = editor.await, editor.keys, editor.line, editor.lua
editor.start(unpack(arg))

--- What the plugin shows: texts beside and in the lines of all buffers.
local function shown()
  return lua([[
    local namespace = vim.api.nvim_get_namespaces()['foreword.next']
    local res = {}
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local marks = namespace and vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true }) or {}
      for _, it in ipairs(marks) do
        if it[4].virt_text then table.insert(res, it[4].virt_text[1][1]) end
      end
    end
    return table.concat(res, '|')
  ]])
end

local function where()
  return lua([[return { vim.fs.basename(vim.api.nvim_buf_get_name(0)), unpack(vim.api.nvim_win_get_cursor(0)) }]])
end

local function text()
  return lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
end

local function await_hint(what, part)
  return await(what, function()
    local it = shown()
    return it:find(part, 1, true) and it
  end)
end

lua([[
  Answered = 0
  vim.api.nvim_create_autocmd('LspRequest', {
    callback = function(it)
      local request = it.data.request
      if request.type == 'complete' and request.method == 'workspace/executeCommand' then Answered = Answered + 1 end
    end,
  })
]])
await('a client', function()
  return lua([[local it = require('foreword').client() return it and it.initialized or false]])
end)
await('an index', function()
  return lua([[
    local found = require('foreword').client():request_sync('workspace/symbol', { query = 'pay' })
    return found and #found.result > 0
  ]])
end)

local seen = {}
-- Without a hint the key is what it was: it goes forward in the list of jumps.
keys('G<C-O><Tab>')
seen.plain = await('a jump', function()
  local it = where()
  return it[2] > 1 and it
end)
keys('gg/late_fee<CR>cwoverdue_fee<Esc>')
seen.hint = await_hint('a hint', 'desk.py')
-- It is hidden by a key, and the next change has another one.
keys('<Esc>')
await('silence', function()
  return shown() == ''
end)
seen.dismissed = shown()
local answered = lua('return Answered')
keys('u')
await('nothing to do', function()
  return line():find('def late_fee', 1, true) and lua('return Answered') > answered
end)
keys('<C-R>')
await_hint('the hint again', 'desk.py')
keys('<Tab>')
seen.first = await('the first place', function()
  local it = where()
  return it[1] == 'desk.py' and it
end)
seen.preview = await_hint('the edit', 'overdue_fee')
local before = text()
keys('<Tab>')
await('the edits of the first place', function()
  return text() ~= before
end)
-- `.` makes the edits of the next place, wherever it is.
local steps = { before, text() }
while text():find('late_fee(days)', 1, true) do
  await_hint('the next place', 'overdue_fee')
  keys('.')
  await('the edits of the next place', function()
    return text() ~= steps[#steps]
  end)
  table.insert(steps, text())
end
-- Each place is one step back.
for step = #steps - 1, 1, -1 do
  keys('u')
  await('one step back', function()
    return text() == steps[step]
  end)
end
keys(('<C-R>'):rep(#steps - 1))
await('all of it again', function()
  return text() == steps[#steps]
end)
seen.steps = #steps - 1
keys(':wa<CR>')
editor.finish(seen, 'wqa')
