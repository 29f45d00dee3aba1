"""The path of a folder that the tool hands on as it is."""

from npu_lsp.catalog.grammar.path import FREE, check

__all__ = ["FREE", "check"]
