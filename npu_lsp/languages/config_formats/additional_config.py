"""The JSON of vLLM-Ascend's `additional_config`, as a command line gives it: one object, and groups of keys within it."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import block, member
from npu_lsp.languages.model import ParseResult, Setting, Value, ValueKind
from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.text.document import Document
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span


def read(document: Document) -> ParseResult:
    """Return one block with the keys of all groups; where parts of the text are filled in later, nothing is wrong with it."""
    return of_object(document, Surface.ADDITIONAL_CONFIG)


def of_object(document: Document, surface: Surface, *above: str) -> ParseResult:
    """Return a block with the keys of an object, and of those within it, whose names start with the keys `above`."""
    if not document.text.lstrip().startswith("{"):
        return ParseResult()
    node, syntax = json_files.tree(document)
    if node is None or node.kind is not ValueKind.DICT:
        return ParseResult()
    filled_in = HOLE in document.text or is_placeholder(document.text)
    settings = [member(surface, ".".join((*above, *path, each.key)), each) for path, each in node.walk()]
    if syntax and not syntax[0].edits and not filled_in:
        # Behind a quote, a colon or a bracket that is missing, nobody knows which group a key is in.
        end = syntax[0].span.start
        settings = [_known_before(each, end) for each in settings if each.key.start < end]
    head = Span(node.span.start, node.span.start + 1)
    found = block(0, surface, head, settings)._replace(open=filled_in or bool(syntax))
    return ParseResult((found,) if settings else (), () if filled_in else syntax)


def _known_before(setting: Setting, end: int) -> Setting:
    """Return a setting without a value that begins where the text goes wrong, such as one without its closing quote."""
    value = setting.value
    return setting if value.span.start < end else setting._replace(value=Value(ValueKind.UNKNOWN, value.span))


cursor = partial(json_files.nested, surface=Surface.ADDITIONAL_CONFIG)
