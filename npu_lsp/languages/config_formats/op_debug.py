"""The file of `op_debug_config`: lines `key=a,b`, one entry for each element."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats import ini
from npu_lsp.languages.config_formats.entries import blocks, comments, entry, malformed, once_a_run, stripped, word
from npu_lsp.languages.model import ParseResult, Setting, SyntaxFinding
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_ELEMENT = re.compile(r"[^,]+")


def read(document: Document) -> ParseResult:
    """Return one block with an entry for each element of each line."""
    text = document.text
    settings: list[Setting] = []
    mistakes: list[SyntaxFinding] = []
    for line in ini.parse(document):
        name = text[line.key.start : line.key.end]
        if line.value is None or not name or line.value.start == line.value.end:
            mistakes.append(malformed(line.span, "no_value", form="key=value"))
            continue
        for match in _ELEMENT.finditer(text, line.value.start, line.value.end):
            span = stripped(text, Span(*match.span()))
            if span.start < span.end:
                value = word(document, span)
                settings.append(
                    entry(Surface.OP_DEBUG, name, line.key, value, span, receiver=value.data, statement=line.span)
                )
    return ParseResult(
        blocks(Surface.OP_DEBUG, [(settings, "")]), tuple(once_a_run(document, mistakes)), comments(document)
    )


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: a key, one element of a value."""
    typed = ini.typed_at(document, offset)
    if typed is None or typed.in_section:
        return None
    if typed.wanted is CompletionKind.KEY:
        present = frozenset(s.name for s in read(document).settings)
        return ini.cursor(typed, document, offset, Surface.OP_DEBUG, present=present)
    text, whole = document.text, typed.replace
    start = text.rfind(",", whole.start, max(offset, whole.start)) + 1 or whole.start
    end = text.find(",", max(offset, start), whole.end)
    element = ini.Typed(CompletionKind.VALUE, Span(start, end if end >= 0 else max(whole.end, start)))
    return ini.cursor(element, document, offset, Surface.OP_DEBUG, option=typed.key)
