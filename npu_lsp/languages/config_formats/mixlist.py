"""The file of `modify_mixlist`: moves operators between the lists of mixed precision."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import blocks, member
from npu_lsp.languages.model import ParseResult
from npu_lsp.text.document import Document


def read(document: Document) -> ParseResult:
    """Return one block; an entry of a list is an item of its setting's value."""
    node, mistakes = json_files.tree(document)
    found = list(node.walk()) if node is not None else []
    settings = [member(Surface.MIXLIST, ".".join((*path, m.key)), m) for path, m in found]
    return ParseResult(blocks(Surface.MIXLIST, [(settings, "")]), mistakes, damaged=bool(mistakes))


cursor = partial(json_files.nested, surface=Surface.MIXLIST)
