-- `:checkhealth foreword`.

local health = {}

local function check_program(program)
  if vim.fn.executable(program) == 0 then
    vim.health.error(program .. ' is not on the path', { 'install foreword', "name it: setup({ cmd = { '/path/to/foreword', 'lsp' } })" })
    return
  end
  local version = vim.system({ program, '--version' }, { text = true }):wait()
  if version.code ~= 0 then
    vim.health.error(program .. ' --version ended with ' .. version.code .. ': ' .. vim.trim(version.stderr))
    return
  end
  vim.health.ok(vim.trim(version.stdout) .. ' (' .. vim.fn.exepath(program) .. ')')
  -- Its own checks: the index, grammars, the endpoint of the model.
  local doctor = vim.system({ program, 'doctor' }, { text = true }):wait()
  local report = doctor.code == 0 and vim.health.info or vim.health.warn
  report('foreword doctor:\n' .. vim.trim(doctor.stdout .. doctor.stderr))
end

--- Why there was ghost text or none at the last request.
local function check_outcome(outcome)
  if not outcome then
    return vim.health.info('no ghost text was asked for yet')
  end
  local text = 'the last request for ghost text: ' .. outcome.text
  if outcome.state == 'failure' then
    vim.health.warn(text, { outcome.message })
  elseif outcome.state == 'withheld' then
    vim.health.info(text .. ('; shown from %.0f %% (settings.leastConfidence)'):format(outcome.least * 100))
  else
    vim.health.info(text .. (outcome.message and ': ' .. outcome.message or ''))
  end
end

function health.check()
  local foreword = require('foreword')
  vim.health.start('foreword')
  if foreword.has_inline_completion() then
    vim.health.ok('Neovim has inline completion')
  else
    vim.health.error('Neovim has no inline completion', { 'install Neovim 0.12 or later' })
  end
  check_program((foreword.options or foreword.defaults).cmd[1])
  if not foreword.options then
    vim.health.warn('it is not set up', { "require('foreword').setup()" })
    return
  end
  local clients = vim.lsp.get_clients({ name = 'foreword' })
  if #clients == 0 then
    vim.health.warn('no server runs', { 'open a file', 'read the log: :lua vim.cmd.edit(vim.lsp.log.get_filename())' })
  end
  for _, it in ipairs(clients) do
    vim.health.ok('a server runs for ' .. (it.root_dir or 'single files'))
  end
  check_outcome(foreword.outcome)
end

return health
