-- Drives another Neovim that has the plugin of editors/neovim: edits two files by keys, then shows the prompt of a third.
-- Prints the page as JSON.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, lua = editor.await, editor.keys, editor.lua
editor.start(unpack(arg))

await('a client', function()
  return lua([[local it = require('foreword').client() return it and it.initialized or false]])
end)
await('an index', function()
  return lua([[
    local found = require('foreword').client():request_sync('workspace/symbol', { query = 'settle_zloty' })
    return found and #found.result > 0
  ]])
end)

--- Opens a file, types until it has a text, and has the server told: changes are sent a moment later, or with a request.
local function edit(file, typed, text)
  keys('<Esc>:edit ' .. file .. '<CR>')
  await(file, function()
    return vim.endswith(lua("return vim.fn.expand('%:p')"), file)
  end)
  keys(typed)
  await(text, function()
    return lua("return vim.fn.mode() == 'n' and vim.fn.search(..., 'nw') > 0", text)
  end)
  lua([[require('foreword').client():request_sync('workspace/symbol', { query = 'x' }, 5000, 0)]])
end

-- The first is saved, the second is not, as in an editor that hides changed files.
keys(':set hidden<CR>')
edit('ledger.py', 'gg/return total<CR>Osettle_zloty(entry, when=today)<Esc>:w<CR>', 'settle_zloty')
edit('pages/page_7.py', 'ggorules = entry.rules()<Esc>', 'rules = entry')
edit('report.py', 'jo<Esc>', 'print_report')
lua([[vim.cmd('Foreword')]])
local page = await('the page', function()
  return lua([[
    for _, it in ipairs(vim.api.nvim_list_bufs()) do
      local text = table.concat(vim.api.nvim_buf_get_lines(it, 0, -1, false), '\n')
      if text:find('## What is shown', 1, true) then return text end
    end
    return false
  ]])
end)
editor.finish({ page = page }, 'qa!')
