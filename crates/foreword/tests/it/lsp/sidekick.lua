-- Drives another Neovim that has sidekick.nvim: a function is renamed, its uses in the file follow by one key. Prints what
-- was seen as JSON.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, lua = editor.await, editor.keys, editor.lua
editor.start(unpack(arg))

local function text()
  return lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
end

local function cursor()
  return lua([[return vim.api.nvim_win_get_cursor(0)[1] ]])
end

--- The edits that it has for the text as it is.
local function edits()
  return lua([[
    local all = require('sidekick.nes').get(vim.api.nvim_get_current_buf())
    return vim.tbl_map(function(it) return it.text end, all)
  ]])
end

--- What it draws.
local function marks()
  return lua([[return #vim.api.nvim_buf_get_extmarks(0, require('sidekick.config').ns, 0, -1, {})]])
end

local function await_edit(what)
  return await(what, function()
    local it = edits()
    return #it > 0 and marks() > 0 and it
  end)
end

await('an index', function()
  return lua([[
    local client = vim.lsp.get_clients({ name = 'copilot_foreword' })[1]
    local found = client and client.initialized and client:request_sync('workspace/symbol', { query = 'late_fee' })
    return found and found.result ~= nil and #found.result > 0
  ]])
end)

local seen = { steps = 0, most = 0, moved = 0 }
keys('gg/late_fee<CR>cwoverdue_fee<Esc>')
await_edit('an edit')
-- It is hidden by a key; the next change has another one.
keys('<Esc>')
await('silence', function()
  return marks() == 0 and #edits() == 0
end)
keys('u')
await('the old text', function()
  return text():find('def late_fee', 1, true)
end)
keys('<C-R>')
while text():find('late_fee', 1, true) do
  seen.most = math.max(seen.most, #await_edit('the next edit'))
  local before, line = text(), cursor()
  -- The first key goes there, unless the cursor is there; the next one makes the edit.
  keys('<Tab>')
  await('a step', function()
    return text() ~= before or cursor() ~= line
  end)
  if text() == before then
    seen.moved = seen.moved + 1
    keys('<Tab>')
    await('the text of the edit', function()
      return text() ~= before
    end)
  end
  seen.steps = seen.steps + 1
end
seen.text = text()
editor.finish(seen)
