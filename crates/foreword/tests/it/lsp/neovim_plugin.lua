-- Drives another Neovim that has the plugin of editors/neovim: ghost text, `:Foreword`, the health check. Prints what was
-- seen as JSON.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, line, lua = editor.await, editor.keys, editor.line, editor.lua
editor.start(unpack(arg))

lua([[
  Said = {}
  vim.notify = function(text) table.insert(Said, text) end
]])
await('a client', function()
  return lua([[local it = require('foreword').client() return it and it.initialized or false]])
end)
await('an index', function()
  return lua([[
    local found = require('foreword').client():request_sync('workspace/symbol', { query = 'install' })
    return found and #found.result > 0
  ]])
end)

local seen = {}
lua([[vim.cmd('Foreword search how is a job installed')]])
seen.found = lua([[
  return vim.tbl_map(function(it)
    return { vim.fs.basename(vim.api.nvim_buf_get_name(it.bufnr)), it.lnum, it.text }
  end, vim.fn.getqflist())
]])
lua([[vim.cmd('cclose') vim.cmd('Foreword bogus')]])
seen.said = lua('return Said')
seen.completed = lua([[return vim.fn.getcompletion('Foreword re', 'cmdline')]])
lua([[vim.cmd('checkhealth foreword')]])
seen.health = table.concat(lua([[return vim.api.nvim_buf_get_lines(0, 0, -1, false)]]), '\n')
lua([[vim.cmd('bwipeout!') vim.cmd('tabonly!')]])

keys('Go<CR>def step_9(job):<CR>check_permissions(job)<CR>')
await('ghost text', function()
  return lua([[
    local namespace = vim.api.nvim_get_namespaces()['nvim.lsp.inline_completion']
    return namespace and #vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, {}) > 0
  ]])
end)
seen.status = lua([[return require('foreword').status()]])
local before = line()
keys('<Tab>')
await('the text', function()
  return line() ~= before
end)
keys('<Esc>:w<CR>')
seen.taken = lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
lua([[vim.cmd('Foreword')]])
seen.page = await('the page', function()
  return lua([[
    for _, it in ipairs(vim.api.nvim_list_bufs()) do
      local text = table.concat(vim.api.nvim_buf_get_lines(it, 0, -1, false), '\n')
      if text:find('tokens', 1, true) and text:find('## Dropped', 1, true) then return text end
    end
    return false
  ]])
end)
editor.finish(seen, 'qa!')
