"""`op_precision.ini`: modes of operators by type and by name.

As `op_impl_mode_config_parser.cc` of GE reads it: lines above any section, and below one that isn't
known, count for the last known section, or for `[ByOpType]`.
"""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats import ini
from npu_lsp.languages.config_formats.entries import block, comments, entry, word
from npu_lsp.languages.model import Block, ParseResult, Setting
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

BY_TYPE, BY_NAME = "ByOpType", "ByNodeName"
OPERATORS = "ByOpType="
"""The prefix of a cursor where the type of an operator can stand."""


def read(document: Document) -> ParseResult:
    """Return a block for each section; an entry has the section's name, and its operator is the receiver."""
    text = document.text
    section = BY_TYPE
    head: Span | None = None
    settings: list[Setting] = []
    blocks: list[Block] = []

    def close() -> None:
        if settings:
            blocks.append(block(len(blocks), Surface.OP_PRECISION, head or settings[0].key, settings, section))

    for line in ini.parse(document):
        name = text[line.key.start : line.key.end]
        if line.is_section:
            close()
            section = name if name in (BY_TYPE, BY_NAME) else section
            head = line.key
            settings = [entry(Surface.OP_PRECISION, name, line.key, ini.nothing(line.span), line.span)]
        elif line.value is not None and name:
            settings.append(
                entry(Surface.OP_PRECISION, section, line.key, word(document, line.value), line.span, receiver=name)
            )
    close()
    return ParseResult(tuple(blocks), comments=comments(document))


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: a section, the type of an operator, a mode."""
    typed = ini.typed_at(document, offset)
    if typed is None:
        return None
    if typed.wanted is CompletionKind.VALUE:
        section = ini.section_at(document, offset)
        name = section if section in (BY_TYPE, BY_NAME) else BY_TYPE
        return ini.cursor(typed, document, offset, Surface.OP_PRECISION, option=name)
    if typed.in_section:
        return ini.cursor(typed, document, offset, Surface.OP_PRECISION)
    if ini.section_at(document, offset) == BY_NAME:
        return None
    return ini.cursor(typed, document, offset, Surface.OP_PRECISION, prefix=OPERATORS)
