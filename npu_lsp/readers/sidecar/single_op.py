"""The file of `--singleop`: operators with their inputs, outputs and attributes; each operator is a block."""

from __future__ import annotations

from dataclasses import replace

from npu_lsp.catalog.model import Surface
from npu_lsp.document import Document
from npu_lsp.readers.model import Block, Cursor, Reading, ValueKind
from npu_lsp.readers.sidecar import json_files
from npu_lsp.readers.sidecar.entries import block, member

_PROTOTYPE = '"param_type"'
"""What msopgen makes an operator project from looks alike, but lists the formats and types of each input."""
_INPUTS, _OUTPUTS = "input_desc.", "output_desc."


def read(document: Document) -> Reading:
    """Return a block for each operator."""
    if _PROTOTYPE in document.text:
        return Reading()
    node, mistakes = json_files.tree(document)
    blocks: list[Block] = []
    operators = [] if node is None else node.items if node.kind is ValueKind.LIST else [node]
    for operator in operators:
        # Inputs and outputs are lists of objects, so that names come more than once.
        settings = [
            member(Surface.SINGLE_OP, ".".join((*path, m.key)), m, receiver=path[-1] if path else "")
            for path, m in operator.walk()
        ]
        if settings:
            blocks.append(block(len(blocks), Surface.SINGLE_OP, settings[0].key, settings))
    return Reading(tuple(blocks), mistakes, damaged=bool(mistakes))


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`."""
    found = json_files.nested(document, offset, Surface.SINGLE_OP)
    if found is not None and found.prefix == _OUTPUTS:
        # An output is described as an input is.
        return replace(found, prefix=_INPUTS)
    return found
