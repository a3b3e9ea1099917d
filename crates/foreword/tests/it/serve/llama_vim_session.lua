-- Drives another Neovim, in which llama.vim completes, by its keys: edits two files, then types in a third. Prints nothing
-- of interest: the test looks at the prompts.

local editor = dofile(vim.fs.dirname(arg[0]) .. '/../neovim.lua')
local await, keys, lua = editor.await, editor.keys, editor.lua
editor.start(unpack(arg))

--- The number of requests with this file that are over.
local function asked(file)
  local endpoint = lua('return vim.g.llama_config.endpoint_fim')
  local requests = endpoint:gsub('/infill$', '/api/requests')
  local answer = vim.system({ 'curl', '--silent', requests }):wait()
  local done = vim.json.decode(answer.stdout).requests
  return #vim.tbl_filter(function(it)
    return it['end'] == 'done' and it.place.path == file and it.context == 'file'
  end, done)
end

--- Opens a file, types, and waits for the request.
local function type_in(file, typed)
  keys('<Esc>:edit ' .. file .. '<CR>')
  await(file, function()
    return vim.endswith(lua("return vim.fn.expand('%:p')"), file)
  end)
  keys(typed)
  await('a request in ' .. file, function()
    return asked(file) > 0
  end)
end

keys(':set hidden<CR>')
type_in('ledger.py', 'gg/return total<CR>Osettle_zloty(entry, when=today)<CR>entry.')
type_in('pages/page_7.py', 'gg5jOreport.sort()<CR>report.')
type_in('report.py', 'joreport.')
editor.finish({}, 'qa!')
