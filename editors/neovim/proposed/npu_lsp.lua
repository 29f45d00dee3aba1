---@brief
---
--- Language server and linter for Ascend NPU configuration in Python and shell: PyTorch, vLLM, TensorFlow, ATC.
---
--- Install it with `pip install npu-lsp`. Settings are the keys of `npu-lsp.toml`, under `npuLsp`; the project's file wins over them.

---@type vim.lsp.Config
return {
  cmd = { 'npu-lsp', 'serve' },
  filetypes = { 'python', 'sh', 'bash', 'dockerfile', 'markdown', 'yaml', 'make', 'toml' },
  root_markers = { 'npu-lsp.toml', '.npu-lsp.toml', 'pyproject.toml', '.git' },
  settings = { npuLsp = {} },
}
