-- What a user does in Neovim, step by step; the answers are written as JSON to the file in $ANSWERS.
-- Run with the configuration that the README shows, and nothing else: nvim --headless -n FILE -c 'luafile neovim_session.lua'

local answers = {}
local patience = 1000 * tonumber(vim.env.PATIENCE)

local function wait(what, condition)
  if not vim.wait(patience, condition, 20) then
    error("timed out waiting for " .. what)
  end
end

local function place(text, extra)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local start = line:find(text, 1, true)
    if start then
      return { line = number - 1, character = start - 1 + (extra or 0) }
    end
  end
  error("no " .. text)
end

local function request(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local replies = vim.lsp.buf_request_sync(0, method, params, patience)
  for _, reply in pairs(replies or {}) do
    if reply.error then
      error(vim.inspect(reply.error))
    end
    return reply.result
  end
  error("no answer to " .. method)
end

local function diagnostics()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { line = d.lnum + 1, code = d.code, source = d.source, message = d.message })
  end
  table.sort(found, function(a, b)
    return a.line < b.line
  end)
  return found
end

local function apply(action)
  local client = vim.lsp.get_client_by_id(next(vim.lsp.buf_get_clients(0)))
  if not action.edit then
    action = request("codeAction/resolve", action)
  end
  vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
end

local function go(text, extra)
  local there = place(text, extra)
  vim.api.nvim_win_set_cursor(0, { there.line + 1, there.character })
end

-- Opens a file that a server reads, and waits until its findings are there.
local function open(name)
  vim.cmd("edit " .. name)
  wait("findings in " .. name, function()
    return #vim.diagnostic.get(0) > 0
  end)
end

local function run()
  answers.version = tostring(vim.version().major) .. "." .. tostring(vim.version().minor)
  wait("findings", function()
    return #vim.diagnostic.get(0) > 0
  end)
  answers.findings = diagnostics()

  local typo = place("precison_mode", 2)
  answers.hover = request("textDocument/hover", { position = place("use_off_line", 2) })
  local actions = request("textDocument/codeAction", {
    range = { start = typo, ["end"] = typo },
    context = { diagnostics = {}, only = { "quickfix" } },
  })
  answers.actions = vim.tbl_map(function(action)
    return action.title
  end, actions)

  apply(actions[1])
  answers.fixed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  wait("the finding to go", function()
    return vim.tbl_isempty(vim.tbl_filter(function(d)
      return d.code == "NPU101"
    end, diagnostics()))
  end)

  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, last, last, false, { 'custom_op.parameter_map["graph_r' })
  local completion = request("textDocument/completion", {
    position = { line = last, character = #'custom_op.parameter_map["graph_r' },
    context = { triggerKind = 1 },
  })
  answers.completion = vim.tbl_map(function(item)
    return item.label
  end, completion.items or completion)
end

-- Text of the window that a command opens, which is closed again.
local function opened(command)
  local before = vim.api.nvim_get_current_buf()
  vim.cmd(command)
  if vim.api.nvim_get_current_buf() == before then
    error(command .. " opened nothing")
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.cmd("bwipeout!")
  return text
end

local function commands()
  vim.cmd("edit saved.sh")
  wait("findings in the shell script", function()
    return #vim.diagnostic.get(0) > 0
  end)
  answers.status = vim.api.nvim_exec("NpuLsp status", true)
  vim.cmd("NpuLsp fix")
  answers.saved = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  wait("findings after the fix", function()
    return #vim.diagnostic.get(0) > 0 and #vim.diagnostic.get(0, { lnum = 1 }) == 0
  end)
  answers.rule = opened("NpuLsp rule")
  answers.doctor = opened("NpuLsp doctor")
  answers.health = opened("checkhealth npu_lsp")
  answers.help = opened("help npu-lsp")
  vim.cmd("NpuLsp check")
  wait("the list of what is found", function()
    return #vim.fn.getqflist() > 0
  end)
  answers.checked = vim.tbl_map(function(each)
    local name = vim.fn.fnamemodify(vim.fn.bufname(each.bufnr), ":t")
    return { name, each.lnum, each.col, each.end_col, each.type, each.text:match("^NPU%d+") }
  end, vim.fn.getqflist())
  vim.cmd("cclose")
  local id = require("npu_lsp").clients()[1].id
  vim.cmd("NpuLsp restart")
  wait("another server", function()
    local now = require("npu_lsp").clients()
    return #now > 0 and now[1].id ~= id
  end)
  wait("findings of the other server", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local reads = {}
  local filetypes = { ["op_precision.ini"] = "dosini", ["setup.cfg"] = "cfg", ["package.json"] = "json" }
  filetypes = vim.tbl_extend("error", filetypes, { ["Cargo.toml"] = "toml", ["npu-lsp.toml"] = "toml" })
  for name, filetype in pairs(filetypes) do
    vim.cmd("enew!")
    vim.api.nvim_buf_set_name(0, name)
    vim.bo.filetype = filetype
    reads[name] = require("npu_lsp").reads(0)
  end
  answers.reads = reads
end

-- What a float shows, once there is one.
local function float()
  local text
  wait("a float", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
  return text
end

local function elsewhere()
  open("own.sh")
  local there = place("high_presicion", 2)
  local actions = request("textDocument/codeAction", {
    range = { start = there, ["end"] = there },
    context = { diagnostics = {}, only = { "quickfix" } },
  })
  for _, action in ipairs(actions) do
    if action.title:find('Change to "high_precision"', 1, true) then
      apply(action)
      break
    end
  end
  go("$NAME", 2)
  vim.lsp.buf.rename("network")
  wait("the new name", function()
    return vim.api.nvim_buf_get_lines(0, 1, 2, false)[1] == "network=resnet"
  end)
  answers.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true)
    wait("a hint", function()
      return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
    end)
    answers.hints = vim.tbl_map(function(each)
      return each.inlay_hint.label
    end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
    vim.lsp.inlay_hint.enable(false)
  end
  vim.fn.setqflist({})
  go("--op_select_implmode", 4)
  vim.lsp.buf.references()
  wait("references", function()
    return #vim.fn.getqflist() > 0
  end)
  answers.references = vim.tbl_map(function(each)
    return { vim.fn.fnamemodify(vim.fn.bufname(each.bufnr), ":t"), each.lnum }
  end, vim.fn.getqflist())
  vim.fn.setqflist({})
  vim.cmd("cclose | enew!")
  open("call.py")
  go("precision_mode=", #"precision_mode=" - 1)
  vim.cmd("startinsert!")
  vim.lsp.buf.signature_help()
  answers.signature = float()
end

local ok, problem = pcall(function()
  run()
  vim.cmd("enew!")
  elsewhere()
  vim.cmd("stopinsert | enew!")
  commands()
end)
if not ok then
  answers.error = tostring(problem)
end
local file = assert(io.open(vim.env.ANSWERS, "w"))
file:write(vim.json and vim.json.encode(answers) or vim.fn.json_encode(answers))
file:close()
vim.cmd("qall!")
