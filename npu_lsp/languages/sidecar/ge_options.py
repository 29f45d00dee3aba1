"""A JSON object of raw options of GE: `{"ge.key": "value"}`."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.tree import Member
from npu_lsp.languages.model import Block, Reading
from npu_lsp.languages.sidecar import json_files
from npu_lsp.languages.sidecar.entries import block, member
from npu_lsp.text.document import Document

PREFIX = "ge."


def read(document: Document) -> Reading:
    """Return a block for each object that has keys of GE."""
    node, mistakes = json_files.tree(document)
    by_object: dict[tuple[str, ...], list[Member]] = {}
    for path, each in node.walk() if node is not None else ():
        if each.key.startswith(PREFIX):
            by_object.setdefault(path, []).append(each)
    blocks: list[Block] = []
    for found in by_object.values():
        settings = [member(Surface.GE, each.key, each) for each in found]
        blocks.append(block(len(blocks), Surface.GE, settings[0].key, settings))
    return Reading(tuple(blocks), mistakes, damaged=bool(mistakes))


cursor = partial(json_files.nested, surface=Surface.GE, alone=True)
