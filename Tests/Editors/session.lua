-- A session of Neovim with `flow lsp`, in a folder of its own:
--   FLOW=path/to/flow nvim --headless -u NONE -c 'luafile session.lua'
local flow = os.getenv('FLOW')

local function write(path, text)
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

local main = [[
flow: 1
components:
  balance: {plugin: balance, with: {opening: 100.00}}
steps:
  - id: load
    uses: balance.load
    expect: {balance: 100.00}
  - scenario: parts/spend.yaml
    with: {amount: 12.50}
]]
local part = [[
flow: 1
inputs:
  amount: {type: decimal}
steps:
  - assert: ${{ inputs.amount > 0 }}
]]

local client
local function attach(buffer)
  client = client or vim.lsp.start_client({ name = 'flow', cmd = { flow, 'lsp' } })
  assert(client, 'the server does not start')
  vim.lsp.buf_attach_client(buffer, client)
end

local function open(path)
  vim.cmd('edit ' .. path)
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].filetype = 'flow'
  attach(buffer)
  return buffer
end

local function wait(what, condition)
  assert(vim.wait(20000, condition, 20), 'no ' .. what)
end

local function request(method, more)
  local params = vim.lsp.util.make_position_params()
  for key, value in pairs(more or {}) do params[key] = value end
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  local answer = assert(answers and answers[client], method .. ' has no answer')
  assert(not answer.error, vim.inspect(answer.error))
  return answer.result
end

local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

-- Adds a text at the end of the buffer, by the keyboard.
local function enter(text)
  vim.cmd('normal! G$')
  vim.api.nvim_put(vim.split(text, '\n'), 'c', true, true)
  vim.cmd('normal! G$')
end

-- Takes a proposal at the end of the buffer.
local function complete(label)
  local last = vim.api.nvim_buf_line_count(0)
  local line = vim.api.nvim_buf_get_lines(0, last - 1, last, false)[1]
  local position = { line = last - 1, character = #line }
  local list = request('textDocument/completion', { position = position })
  for _, item in ipairs(list.items) do
    if item.label == label then
      return vim.lsp.util.apply_text_edits({ item.textEdit }, 0, 'utf-16')
    end
  end
  error('no proposal ' .. label .. ' in ' .. vim.inspect(list.items))
end

local function severities()
  return vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(0))
end

local function session()
  vim.fn.mkdir('parts', 'p')
  write('flow.yaml', 'flow: 1\n')
  write('main.yaml', main)
  write('parts/spend.yaml', part)
  assert(os.execute(flow .. ' run main.yaml --record --quiet') == 0, 'it does not run')
  open('main.yaml')
  wait('client', function() return vim.lsp.buf_get_clients(0)[client] ~= nil end)

  -- A step by completion alone.
  enter('\n  ')
  complete('- uses')
  complete('balance.subtract')
  enter('\n    ')
  complete('with')
  enter('\n      ')
  complete('amount')
  enter('10.00')
  assert(lines():find('  - uses: balance.subtract\n    with:\n      amount: 10.00', 1, true), lines())
  print('ok: typed a step')

  -- A typo, mended by a code action.
  enter('\n  - uses: balance.lod\n')
  wait('problem', function() return vim.tbl_contains(severities(), 'F1203') end)
  local range = { start = { line = 12, character = 18 }, ['end'] = { line = 12, character = 21 } }
  local actions = request('textDocument/codeAction',
    { range = range, context = { diagnostics = {} } })
  assert(#actions == 1 and actions[1].title == 'replace lod by load', vim.inspect(actions))
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  assert(not lines():find('balance.lod\n', 1, true), lines())
  wait('end of the problem', function() return not vim.tbl_contains(severities(), 'F1203') end)
  print('ok: fixed a typo')

  -- A recorded value under the cursor.
  vim.fn.cursor(5, 10)
  local hover = request('textDocument/hover')
  assert(hover.contents.value:find('Recorded: `{"balance":"100.00"}`', 1, true),
    vim.inspect(hover))
  print('ok: hovered over a recorded value')

  -- Into the other scenario.
  vim.fn.cursor(8, 20)
  local location = request('textDocument/definition')
  vim.lsp.util.jump_to_location(location, 'utf-16')
  assert(vim.api.nvim_buf_get_name(0):find('parts/spend.yaml$'), vim.api.nvim_buf_get_name(0))
  vim.bo.filetype = 'flow'
  attach(vim.api.nvim_get_current_buf())
  print('ok: jumped into another scenario')

  -- Another name for its input, here and where it is given.
  vim.fn.cursor(3, 5)
  local edit = request('textDocument/rename', { newName = 'sum' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  assert(lines():find('sum: {type: decimal}', 1, true) and lines():find('inputs.sum > 0', 1, true),
    lines())
  vim.cmd('buffer main.yaml')
  assert(lines():find('with: {sum: 12.50}', 1, true), lines())
  print('ok: renamed over two files')
end

local passed, message = pcall(session)
if not passed then print('failed: ' .. tostring(message)) end
if client then vim.lsp.stop_client(client) end
vim.cmd(passed and 'qall!' or 'cquit!')
