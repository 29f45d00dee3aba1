-- What :checkhealth npu_lsp tells.

local M = {}

local health = vim.health or require("health")
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error
local info = health.info or health.report_info

function M.check()
  local npu_lsp = require("npu_lsp")
  start("npu-lsp")
  local command = npu_lsp.command or vim.env.NPU_LSP_SERVER or "npu-lsp"
  if vim.fn.executable(command) == 0 then
    fail(command .. " was not found", { "Install it: pip install npu-lsp", "or name it in $NPU_LSP_SERVER" })
    return
  end
  local said = vim.trim(vim.fn.system({ command, "--version" }))
  if vim.v.shell_error ~= 0 then
    fail(command .. " does not run: " .. said)
    return
  end
  ok(vim.fn.exepath(command) .. ": " .. said)
  local clients = npu_lsp.clients()
  if #clients == 0 then
    local how = vim.lsp.enable and 'vim.lsp.enable("npu_lsp")' or 'require("npu_lsp").setup()'
    warn("no server is running", { "Open a file that it reads, such as a Python file", "Call " .. how })
  end
  for _, client in ipairs(clients) do
    ok("a server is running for " .. tostring(client.config.root_dir or "single files"))
  end
  info("read: " .. table.concat(npu_lsp.filetypes, ", "))
end

return M
