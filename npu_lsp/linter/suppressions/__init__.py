"""`npu-lsp: ignore` comments: what they silence, how far they reach, how they are written and taken back."""
