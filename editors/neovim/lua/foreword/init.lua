-- Starts `foreword lsp` for every file and shows what it suggests as ghost text.

local foreword = {}

--- What can be set.
foreword.defaults = {
  --- The program and its arguments: `{ 'foreword', 'lsp', '--model-url', 'http://127.0.0.1:8012' }` asks a model.
  cmd = { 'foreword', 'lsp' },
  --- The key that takes the ghost text, in insert mode; `false` for none. Without ghost text it is the key itself.
  accept = '<Tab>',
  --- The key that goes to the next edit and then makes it, in normal mode; `false` for no hints. Without a hint it is
  --- the key itself.
  next = '<Tab>',
  --- The key that hides a hint, in normal mode; `false` for none.
  dismiss = '<Esc>',
  --- The server's settings: `leastConfidence`, `maxLines` and so on.
  settings = {},
}

--- Whether Neovim has ghost text.
function foreword.has_inline_completion()
  return vim.lsp.inline_completion ~= nil
end

local function map_accept(key)
  vim.keymap.set('i', key, function()
    if not vim.lsp.inline_completion.get() then
      return key
    end
  end, { expr = true, desc = 'foreword: take the ghost text' })
end

--- Sets everything up; `options` replaces `defaults`.
function foreword.setup(options)
  local set = vim.tbl_deep_extend('force', foreword.defaults, options or {})
  foreword.options = set
  if not foreword.has_inline_completion() then
    vim.notify('foreword: ghost text wants Neovim 0.12 or later; see :checkhealth foreword', vim.log.levels.WARN)
    return
  end
  vim.lsp.config('foreword', {
    cmd = set.cmd,
    root_markers = { '.git' },
    capabilities = { experimental = { forewordStatus = true } },
    handlers = {
      ['foreword/status'] = function(_, outcome)
        foreword.outcome = outcome
        vim.cmd.redrawstatus()
      end,
    },
    init_options = vim.tbl_isempty(set.settings) and vim.empty_dict() or set.settings,
  })
  vim.lsp.enable('foreword')
  vim.lsp.inline_completion.enable()
  if set.accept then
    map_accept(set.accept)
  end
  if set.next then
    require('foreword.next').setup(set)
  end
end

--- What came of the last request for ghost text, for a status line: `withheld, 37 %`; empty before the first.
function foreword.status()
  return foreword.outcome and foreword.outcome.text or ''
end

--- The server of a buffer; `nil` if there is none.
function foreword.client(buffer)
  return vim.lsp.get_clients({ name = 'foreword', bufnr = buffer or 0 })[1]
end

return foreword
