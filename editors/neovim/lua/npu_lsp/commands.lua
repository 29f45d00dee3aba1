-- What :NpuLsp does.

local npu_lsp = require("npu_lsp")

local M = {}

local function complain(message)
  vim.notify("npu-lsp: " .. message, vim.log.levels.WARN)
end

local function client()
  for _, each in ipairs(npu_lsp.clients()) do
    local buffers = each.attached_buffers
    if not buffers or buffers[vim.api.nvim_get_current_buf()] then
      return each
    end
  end
end

local function ask(method, params)
  local found = client()
  if not found then
    complain("no server is running for this buffer")
    return
  end
  local reply = npu_lsp.request(found, method, params)
  if not reply or reply.err then
    complain(reply and reply.err.message or method .. " was not answered")
    return
  end
  return reply.result, found
end

-- The code of the finding under the cursor.
local function code_here()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local on_line
  for _, each in ipairs(vim.diagnostic.get(0, { lnum = row - 1 })) do
    if each.source == "npu-lsp" then
      on_line = on_line or each.code
      if each.col <= column and column < (each.end_col or each.col + 1) then
        return each.code
      end
    end
  end
  return on_line
end

local function show(name, filetype, lines)
  vim.cmd("new")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = "nofile", "wipe", false
  vim.bo.modifiable = false
  pcall(vim.api.nvim_buf_set_name, 0, name)
  -- This runs whatever is set up for the type; the page is there even if that fails.
  vim.cmd("silent! setlocal filetype=" .. filetype)
end

local function run(arguments)
  local lines = vim.fn.systemlist(vim.list_extend({ npu_lsp.command or "npu-lsp" }, arguments))
  if vim.v.shell_error ~= 0 then
    complain(lines[#lines] or "it failed")
    return
  end
  return lines
end

function M.rule(code)
  code = code or code_here()
  if not code then
    complain("no finding is here; name a code, such as :NpuLsp rule NPU101")
    return
  end
  local lines = run({ "rule", code, "--format", "markdown" })
  if lines then
    show("npu-lsp://" .. code, "markdown", lines)
  end
end

function M.doctor()
  local lines = run({ "doctor" })
  if lines then
    show("npu-lsp://doctor", "yaml", lines)
  end
end

function M.status()
  local facts = ask("npu-lsp/status", { textDocument = { uri = vim.uri_from_bufnr(0) } })
  if not facts then
    return
  end
  local cann = facts.target.cann
  local target = type(cann) == "string" and "CANN " .. cann or "newest CANN"
  target = table.concat(vim.list_extend({ target }, facts.target.products), ", ")
  local lines = { ("npu-lsp %s, catalog of %s, for %s"):format(facts.version, facts.catalog, target) }
  vim.list_extend(lines, facts.problems)
  print(table.concat(lines, "\n"))
end

function M.fix()
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } }
  local actions, found = ask("textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = whole,
    context = { diagnostics = {}, only = { "source.fixAll.npu-lsp" } },
  })
  local action = actions and actions[1]
  if action and not action.edit then
    action = ask("codeAction/resolve", action)
  end
  if action and action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, found.offset_encoding)
  elseif actions then
    print("npu-lsp: nothing that is safe to fix")
  end
end

-- The byte, from 1, at which a code point of a line starts.
local function byte_of(line, column)
  local byte = line and vim.fn.byteidx(line, column - 1) or -1
  return byte < 0 and column or byte + 1
end

-- Turns the report of a check into entries of the quickfix list.
local function entries(report, folder)
  local found, texts = {}, {}
  for _, line in ipairs(report) do
    local ok, each = pcall(vim.fn.json_decode, line)
    if ok and type(each) == "table" then
      local path = each.path:match("^%a:[/\\]") and each.path or (each.path:sub(1, 1) == "/" and each.path or folder .. "/" .. each.path)
      if not texts[path] then
        local read, lines = pcall(vim.fn.readfile, path)
        texts[path] = read and lines or {}
      end
      local lines = texts[path]
      table.insert(found, {
        filename = path,
        lnum = each.line,
        col = byte_of(lines[each.line], each.column),
        end_lnum = each.end_line,
        end_col = byte_of(lines[each.end_line], each.end_column),
        type = ({ error = "E", warning = "W", info = "I" })[each.severity] or "N",
        text = each.code .. ": " .. each.message,
      })
    end
  end
  return found
end

--- Checks a file or a folder, by default the project, and lists what is found.
function M.check(path)
  local folder = npu_lsp.root(vim.api.nvim_buf_get_name(0)) or vim.fn.getcwd()
  local report, complaints = {}, {}
  local function add(to)
    return function(_, lines)
      vim.list_extend(to, lines)
    end
  end
  local command = { npu_lsp.command or "npu-lsp", "check", "--output-format", "json-lines", "--baseline-mode", "keep" }
  local job = vim.fn.jobstart(vim.list_extend(command, { path and vim.fn.fnamemodify(path, ":p") or "." }), {
    cwd = folder,
    env = { NPU_LSP_NO_CACHE = "1" }, -- who looks at a project leaves nothing in it
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = add(report),
    on_stderr = add(complaints),
    on_exit = function(_, code)
      if code > 1 then
        complain(vim.trim(table.concat(complaints, "\n")))
        return
      end
      local found = entries(report, folder)
      vim.fn.setqflist({}, " ", { title = "npu-lsp check", items = found })
      if #found > 0 then
        vim.cmd("botright copen")
      else
        print("npu-lsp: nothing found")
      end
    end,
  })
  if job <= 0 then
    complain("npu-lsp can't be run")
  end
end

function M.log()
  vim.cmd("tabedit " .. vim.fn.fnameescape(vim.lsp.log and vim.lsp.log.get_filename() or vim.lsp.get_log_path()))
end

function M.restart()
  local buffers = {}
  for _, each in ipairs(npu_lsp.clients()) do
    for buffer in pairs(each.attached_buffers or {}) do
      buffers[buffer] = true
    end
    if vim.fn.has("nvim-0.11") == 1 then
      each:stop()
    else
      each.stop()
    end
  end
  vim.wait(5000, function()
    return #npu_lsp.clients() == 0
  end, 20)
  if vim.tbl_isempty(buffers) then
    buffers[vim.api.nvim_get_current_buf()] = true
  end
  for buffer in pairs(buffers) do
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd("doautocmd <nomodeline> FileType " .. vim.bo.filetype)
    end)
  end
end

--- Does what :NpuLsp was told to.
function M.run(arguments)
  local work = M[arguments[1] or "status"]
  if not work or arguments[1] == "run" or arguments[1] == "names" then
    complain("there is no :NpuLsp " .. arguments[1])
    return
  end
  work(arguments[2])
end

M.names = { "check", "doctor", "fix", "log", "restart", "rule", "status" }

return M
