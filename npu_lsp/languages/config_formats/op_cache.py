"""`op_cache.ini`: the size of the cache of compiled operators."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats import ini
from npu_lsp.languages.config_formats.entries import block, comments, entry, word
from npu_lsp.languages.model import ParseResult, Setting, SyntaxFault, SyntaxFinding, ValueKind
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

SECTION = "op_compiler_cache"


def read(document: Document) -> ParseResult:
    """Return all entries as one block, as the tool wants them in one section."""
    text = document.text
    settings: list[Setting] = []
    mistakes: list[SyntaxFinding] = []
    for line in ini.parse(document):
        name = text[line.key.start : line.key.end]
        if line.is_section:
            settings.append(entry(Surface.OP_CACHE, name, line.key, ini.nothing(line.span), line.span))
        elif line.value is not None:
            settings.append(entry(Surface.OP_CACHE, name, line.key, word(document, line.value), line.span))
    if not settings:
        return ParseResult(comments=comments(document))
    sections = [s.name for s in settings if s.value.kind is ValueKind.OBJECT]
    first = settings[0]
    if not sections:
        start = document.line_starts[document.line_of(first.key.start)]
        mistakes.append(
            SyntaxFinding(
                SyntaxFault.MISSING_SECTION,
                first.key,
                {"section": SECTION},
                (Edit(Span(start, start), f"[{SECTION}]\n"),),
            )
        )
    blocks = (block(0, Surface.OP_CACHE, first.key, settings),)
    return ParseResult(blocks, tuple(mistakes), comments(document))


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: a key, the section."""
    typed = ini.typed_at(document, offset)
    if typed is None:
        return None
    if typed.wanted is CompletionKind.VALUE:
        return ini.cursor(typed, document, offset, Surface.OP_CACHE, option=typed.key)
    present = frozenset(s.name for s in read(document).settings)
    return ini.cursor(typed, document, offset, Surface.OP_CACHE, present=present)
