"""Compares npu-lsp with the tools themselves, where they can be installed: `python -m tests.peers.mindspore PYTHON`."""
