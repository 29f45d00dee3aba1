"""The language server protocol as npu-lsp speaks it: bytes, messages, open documents, what the client can do.

Nothing here knows an option; what is said about options is made in `npu_lsp.lsp.features`.
"""
