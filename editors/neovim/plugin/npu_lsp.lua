-- Defines :NpuLsp; what it does is only read when it is used.

if vim.g.loaded_npu_lsp or vim.fn.has("nvim-0.7") == 0 then
  return
end
vim.g.loaded_npu_lsp = true

vim.api.nvim_create_user_command("NpuLsp", function(command)
  require("npu_lsp.commands").run(command.fargs)
end, {
  nargs = "*",
  desc = "Ask npu-lsp: status, check, rule, fix, restart, log, doctor",
  complete = function(start, line)
    if #vim.split(line, "%s+") > 2 then
      return line:match("^%S+%s+check%s") and vim.fn.getcompletion(start, "file") or {}
    end
    return vim.tbl_filter(function(name)
      return vim.startswith(name, start)
    end, require("npu_lsp.commands").names)
  end,
})
