-- What `:Foreword` does.

local command = {}

local function say(text, level)
  vim.notify('foreword: ' .. text, level or vim.log.levels.INFO)
end

--- Opens the quickfix list with these items; says `none` if there are none.
local function show(title, items, none)
  vim.fn.setqflist({}, ' ', { title = 'foreword: ' .. title, items = items })
  if #items == 0 then
    return say(none)
  end
  vim.cmd('botright copen')
end

--- Runs the program in the directory of the buffer's repository; gives what it printed, or nothing and says why.
local function output(arguments)
  local foreword = require('foreword')
  local program = (foreword.options or foreword.defaults).cmd[1]
  local directory = vim.fs.root(0, '.git') or vim.fn.getcwd()
  local started, process = pcall(vim.system, { program, unpack(arguments) }, { cwd = directory, text = true })
  if not started then
    return say(program .. ' cannot be started; see :checkhealth foreword', vim.log.levels.ERROR)
  end
  local done = process:wait()
  -- 1 is: nothing found.
  if done.code > 1 then
    return say(vim.trim(done.stderr), vim.log.levels.ERROR)
  end
  return done.stdout, directory
end

--- A question, or the name under the cursor: its answers in the quickfix list.
function command.search(words)
  local query = #words > 0 and table.concat(words, ' ') or vim.fn.expand('<cword>')
  if query == '' then
    return say('search for what?', vim.log.levels.WARN)
  end
  local found, directory = output({ 'search', '--json', '--', query })
  if not found then
    return
  end
  local items = vim.tbl_map(function(it)
    return {
      filename = vim.fs.joinpath(directory, it.path),
      lnum = it.match_start_line,
      end_lnum = it.match_end_line,
      text = vim.trim(it.kind .. ' ' .. it.symbol) .. '  ' .. (it.reasons[1] or ''),
    }
  end, vim.json.decode(found).results)
  show(query, items, 'nothing found for ' .. query)
end

--- Returns the buffer's server and a command for it at the cursor; says why if there is no server.
local function at_cursor(name)
  local client = require('foreword').client()
  if not client then
    return say('no server for this buffer; see :checkhealth foreword', vim.log.levels.WARN)
  end
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local arguments = { place.textDocument.uri, place.position }
  return client, { title = name, command = 'foreword.' .. name, arguments = arguments }
end

--- Shows the prompt at the cursor, and why each piece of it is there.
function command.context()
  local client, params = at_cursor('showContext')
  if client then
    -- The server asks for the page to be opened.
    client:exec_cmd(params, { bufnr = 0 })
  end
end

--- Puts the places where the next edit is likely into the quickfix list.
function command.next()
  local client, params = at_cursor('nextEdits')
  if not client then
    return
  end
  client:request('workspace/executeCommand', params, function(error, places)
    if error then
      return say(error.message, vim.log.levels.ERROR)
    end
    local items = vim.tbl_map(function(it)
      return {
        filename = vim.uri_to_fname(it.location.uri),
        lnum = it.location.range.start.line + 1,
        text = ('%d %%  %s  %s'):format(math.floor(it.confidence * 100 + 0.5), it.symbol, it.message),
      }
    end, places or {})
    show('the next edit', items, 'no other place follows from what was changed')
    -- The number 0 would not send what was typed just now.
  end, vim.api.nvim_get_current_buf())
end

local function set_enabled(is_enabled)
  vim.lsp.inline_completion.enable(is_enabled)
  say(is_enabled and 'suggests' or 'is silent')
end

function command.enable()
  set_enabled(true)
end

function command.disable()
  set_enabled(false)
end

--- Starts the server anew.
function command.restart()
  vim.lsp.enable('foreword', false)
  vim.wait(5000, function()
    return #vim.lsp.get_clients({ name = 'foreword' }) == 0
  end, 20)
  vim.lsp.enable('foreword')
end

--- What is indexed.
function command.status()
  local text = output({ 'status' })
  if text then
    say('\n' .. vim.trim(text))
  end
end

local NAMES = { 'search', 'context', 'next', 'enable', 'disable', 'restart', 'status' }

--- Runs a command with its arguments; without a name it shows the context.
function command.run(arguments)
  local name = arguments[1] or 'context'
  if not vim.tbl_contains(NAMES, name) then
    return say(name .. ': no such command; there are ' .. table.concat(NAMES, ', '), vim.log.levels.ERROR)
  end
  command[name](vim.list_slice(arguments, 2))
end

--- The commands that begin like the last word of `line`.
function command.complete(line)
  local words = vim.split(line, '%s+')
  if #words > 2 then
    return {}
  end
  return vim.tbl_filter(function(it)
    return vim.startswith(it, words[2] or '')
  end, NAMES)
end

return command
