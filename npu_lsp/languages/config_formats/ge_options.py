"""A JSON object of raw options of GE: `{"ge.key": "value"}`."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import blocks, member
from npu_lsp.languages.model import ParseResult, Setting
from npu_lsp.text.document import Document

PREFIX = "ge."


def read(document: Document) -> ParseResult:
    """Return a block for each object that has keys of GE."""
    node, mistakes = json_files.tree(document)
    by_object: dict[tuple[str, ...], list[Setting]] = {}
    for path, each in node.walk() if node is not None else ():
        if each.key.startswith(PREFIX):
            by_object.setdefault(path, []).append(member(Surface.GE, each.key, each))
    return ParseResult(
        blocks(Surface.GE, ((settings, "") for settings in by_object.values())), mistakes, damaged=bool(mistakes)
    )


cursor = partial(json_files.nested, surface=Surface.GE, alone=True)
