"""The JSON of vLLM-Ascend's `additional_config`, as a command line gives it: one object, and groups of keys within it."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Reading, ValueKind
from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.languages.sidecar import json_files
from npu_lsp.languages.sidecar.entries import block, member
from npu_lsp.text.document import Document
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span


def read(document: Document) -> Reading:
    """Return one block with the keys of all groups; where parts of the text are filled in later, nothing is wrong with it."""
    if not document.text.lstrip().startswith("{"):
        return Reading()
    node, syntax = json_files.tree(document)
    if node is None or node.kind is not ValueKind.DICT:
        return Reading()
    filled_in = HOLE in document.text or is_placeholder(document.text)
    settings = [member(Surface.ADDITIONAL_CONFIG, ".".join((*path, each.key)), each) for path, each in node.walk()]
    if syntax and not syntax[0].edits and not filled_in:
        # Behind a quote, a colon or a bracket that is missing, nobody knows which group a key is in.
        settings = [each for each in settings if each.key.start < syntax[0].span.start]
    head = Span(node.span.start, node.span.start + 1)
    found = block(0, Surface.ADDITIONAL_CONFIG, head, settings)._replace(open=filled_in or bool(syntax))
    return Reading((found,) if settings else (), () if filled_in else syntax)


cursor = partial(json_files.nested, surface=Surface.ADDITIONAL_CONFIG)
