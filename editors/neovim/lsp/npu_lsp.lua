-- The configuration that `vim.lsp.enable("npu_lsp")` finds (Neovim 0.11 and later).
return require("npu_lsp").config()
