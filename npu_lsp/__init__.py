"""npu-lsp: a language server and a linter for Ascend NPU configuration in Python and shell."""

__version__ = "0.1.0"
