-- The next edit: a hint of its place, a key that goes there, and the same key to make it.

local next_edit = {}

local NAMESPACE = vim.api.nvim_create_namespace('foreword.next')

--- Milliseconds without a change before the server is asked.
local DELAY = 100

--- The place that is shown: what the server said, and the edits of its file.
local shown
--- Places that were dismissed, until nothing is left to do.
local dismissed = {}
--- The number of the latest request; earlier ones do not count. `pending` until it is answered.
local latest, pending = 0, false
local timer

local function key_of(place)
  local edit = place.edits[1]
  return table.concat({ place.location.uri, place.text, edit and edit.newText or '' }, '\n')
end

--- The buffer of a place; `nil` if it is not loaded.
local function buffer_of(place)
  local buffer = vim.fn.bufnr(vim.uri_to_fname(place.location.uri))
  return buffer ~= -1 and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

--- The first line to change, from 0.
local function line_of(place)
  local edit = place.edits[1]
  return (edit and edit.range or place.location.range).start.line
end

--- Whether the cursor is at the place.
local function is_there(place)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local last = #place.edits > 0 and line_of(place) or place.location.range['end'].line - 1
  return buffer_of(place) == vim.api.nvim_get_current_buf() and line >= line_of(place) and line <= last
end

local function clear()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      vim.api.nvim_buf_clear_namespace(buffer, NAMESPACE, 0, -1)
    end
  end
end

--- Shows in its buffer what an edit takes away and what it puts there.
local function preview(buffer, edit, encoding)
  local function column(position)
    local text = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ''
    return vim.str_byteindex(text, encoding, position.character, false)
  end
  local first, last = edit.range.start, edit.range['end']
  local new = vim.split(edit.newText, '\n', { plain = true })
  vim.api.nvim_buf_set_extmark(buffer, NAMESPACE, first.line, column(first), {
    end_row = last.line,
    end_col = column(last),
    hl_group = 'ForewordOld',
    strict = false,
  })
  vim.api.nvim_buf_set_extmark(buffer, NAMESPACE, last.line, column(last), {
    virt_text = { { new[1], 'ForewordNew' } },
    virt_text_pos = 'inline',
    virt_lines = #new > 1 and vim.tbl_map(function(it)
      return { { it, 'ForewordNew' } }
    end, vim.list_slice(new, 2)) or nil,
    strict = false,
  })
end

--- The text beside the cursor that says where the next edit is.
local function hint(place)
  local foreword = require('foreword')
  local key = (foreword.options or foreword.defaults).next
  local where = ('line %d'):format(line_of(place) + 1)
  if buffer_of(place) ~= vim.api.nvim_get_current_buf() then
    where = ('%s:%d'):format(place.path, line_of(place) + 1)
  end
  return (' %s %s: %s'):format(key or '', where, place.text)
end

local function draw()
  clear()
  if not shown then
    return
  end
  local buffer = buffer_of(shown.place)
  if buffer then
    for _, edit in ipairs(shown.place.edits) do
      preview(buffer, edit, shown.encoding)
    end
  end
  if vim.bo.buftype == '' and not is_there(shown.place) then
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    vim.api.nvim_buf_set_extmark(0, NAMESPACE, line, 0, {
      virt_text = { { hint(shown.place), 'ForewordHint' } },
      virt_text_pos = 'eol',
    })
  end
end

local function show(place, client)
  shown = place and { place = place, encoding = client.offset_encoding }
  draw()
end

--- Shows the first place that was not dismissed.
local function answer(places, client)
  places = places or {}
  if #places == 0 then
    dismissed = {}
  end
  for _, place in ipairs(places) do
    if not dismissed[key_of(place)] then
      return show(place, client)
    end
  end
  show(nil)
end

--- Asks the server for the next edit after what was changed.
function next_edit.ask()
  latest = latest + 1
  local number, client = latest, require('foreword').client()
  if not client or vim.bo.buftype ~= '' then
    return show(nil)
  end
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local arguments = { place.textDocument.uri, place.position, { onlyAfterEdits = true } }
  local params = { title = 'next', command = 'foreword.nextEdits', arguments = arguments }
  pending = client:request('workspace/executeCommand', params, function(error, places)
    if number == latest then
      pending = false
      answer(not error and places or nil, client)
    end
    -- The number 0 would not send what was typed just now.
  end, vim.api.nvim_get_current_buf())
end

local function ask_soon()
  show(nil)
  latest, pending = latest + 1, true
  timer = timer or vim.uv.new_timer()
  timer:start(DELAY, 0, vim.schedule_wrap(function()
    if vim.api.nvim_get_mode().mode == 'n' then
      next_edit.ask()
    else
      pending = false
    end
  end))
end

--- Goes to the place that is shown; what was before stays in the list of jumps.
function next_edit.jump()
  if not shown then
    return
  end
  local place = shown.place
  local edit = place.edits[1]
  local range = edit and edit.range or place.location.range
  vim.lsp.util.show_document({ uri = place.location.uri, range = range }, shown.encoding, { focus = true })
  if not edit then
    vim.cmd('normal! ^')
  end
  draw()
end

--- Makes the edits of the place that is shown, wherever the cursor is: one step to undo, and what `.` repeats.
function next_edit.accept()
  -- `.` may be typed before the next place is known.
  vim.wait(2000, function()
    return not pending
  end, 10)
  if not shown or #shown.place.edits == 0 then
    return
  end
  if not is_there(shown.place) then
    next_edit.jump()
  end
  local place, encoding = shown.place, shown.encoding
  local buffer = buffer_of(place)
  local version = place.edits[1].version
  show(nil)
  -- The buffer may have changed since the server was asked.
  if not buffer or type(version) == 'number' and version ~= vim.lsp.util.buf_versions[buffer] then
    return ask_soon()
  end
  vim.lsp.util.apply_text_edits(vim.tbl_map(function(it)
    return { range = it.range, newText = it.newText }
  end, place.edits), buffer, encoding)
  local first = place.edits[1].range.start
  local line = vim.api.nvim_buf_get_lines(buffer, first.line, first.line + 1, false)[1] or ''
  local column = vim.str_byteindex(line, encoding, first.character, false)
  vim.api.nvim_win_set_cursor(0, { first.line + 1, column })
  pending = true
end

--- Hides the place; the next change brings the next one.
function next_edit.dismiss()
  if shown then
    dismissed[key_of(shown.place)] = true
    show(nil)
  end
end

local function map(keys, description, action)
  vim.keymap.set('n', keys, function()
    return shown and vim.bo.buftype == '' and action(shown.place) or keys
  end, { expr = true, desc = 'foreword: ' .. description })
end

local function map_keys(keys, dismiss)
  map(keys, 'go to the next edit, or make it', function(place)
    if not is_there(place) then
      return "<Cmd>lua require('foreword.next').jump()<CR>"
    end
    if #place.edits > 0 then
      vim.o.operatorfunc = "v:lua.require'foreword.next'.accept"
      return 'g@$'
    end
  end)
  if dismiss then
    map(dismiss, 'hide the next edit', function()
      return "<Cmd>lua require('foreword.next').dismiss()<CR>"
    end)
  end
end

--- Shows the next edit after each change, with these keys of normal mode.
function next_edit.setup(options)
  vim.api.nvim_set_hl(0, 'ForewordOld', { default = true, link = 'DiffDelete' })
  vim.api.nvim_set_hl(0, 'ForewordNew', { default = true, link = 'DiffAdd' })
  vim.api.nvim_set_hl(0, 'ForewordHint', { default = true, link = 'ComplHint' })
  local group = vim.api.nvim_create_augroup('foreword.next', { clear = true })
  local function on(events, action, pattern)
    vim.api.nvim_create_autocmd(events, { group = group, pattern = pattern, callback = action })
  end
  on('TextChanged', ask_soon)
  on('ModeChanged', ask_soon, 'i:n')
  on('InsertEnter', function()
    show(nil)
  end)
  on({ 'CursorMoved', 'BufEnter' }, function()
    if shown then
      draw()
    end
  end)
  map_keys(options.next, options.dismiss)
end

return next_edit
