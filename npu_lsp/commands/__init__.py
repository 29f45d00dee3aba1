"""The commands of `npu-lsp`, one a file."""
