-- The command `:Foreword`, before anything is set up: it says what is missing then.

vim.api.nvim_create_user_command('Foreword', function(it)
  require('foreword.command').run(it.fargs)
end, {
  nargs = '*',
  desc = 'foreword: search, context, enable, disable, restart, status',
  complete = function(_, line)
    return require('foreword.command').complete(line)
  end,
})
