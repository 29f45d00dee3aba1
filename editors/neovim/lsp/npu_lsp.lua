-- The configuration that `vim.lsp.enable("npu_lsp")` finds (Neovim 0.11 and later).
local npu_lsp = require("npu_lsp")
npu_lsp.tell_missing()
return npu_lsp.config()
