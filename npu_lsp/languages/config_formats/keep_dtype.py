"""The file of `keep_dtype`: the name of a node, or `OpType::Type`, a line each."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats.entries import blocks, entry, lines, malformed, once_a_run, word
from npu_lsp.languages.model import ParseResult, Setting, SyntaxFinding
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_TYPE = "OpType::"
PREFIX = re.compile(r"op_?type:{1,2}(?=[A-Za-z])", re.ASCII | re.IGNORECASE)
_LETTERS = re.compile(r"[a-z][A-Za-z0-9]*")


def read(document: Document) -> ParseResult:
    """Return one block with an entry for each line that names a type."""
    text = document.text
    settings: list[Setting] = []
    mistakes: list[SyntaxFinding] = []
    for _, span in lines(document):
        line = text[span.start : span.end]
        if line.startswith("#"):
            mistakes.append(malformed(span, "comment_is_name", form="name, OpType::Type"))
        wrong = PREFIX.match(line)
        if wrong is not None and wrong.group() != _TYPE:
            edit = Edit(Span(span.start, span.start + wrong.end()), _TYPE)
            mistakes.append(malformed(edit.span, "prefix", edit, name=_TYPE + line[wrong.end() :]))
        if not line.startswith(_TYPE):
            continue
        value = Span(span.start + len(_TYPE), span.end)
        key = Span(span.start, span.start + len("OpType"))
        name = text[value.start : value.end]
        settings.append(entry(Surface.KEEP_DTYPE, "OpType", key, word(document, value), span, receiver=name))
        if _LETTERS.fullmatch(name):
            edit = Edit(Span(value.start, value.start + 1), name[0].upper())
            mistakes.append(malformed(value, "pascal_case", edit, name=name))
    return ParseResult(blocks(Surface.KEEP_DTYPE, [(settings, "")]), tuple(once_a_run(document, mistakes)))


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: `OpType::` at the start of a line."""
    text = document.text
    line = document.line_span(document.line_of(offset))
    if ":" in text[line.start : offset]:
        return None
    end = text.find(":", offset, line.end)
    replace = Span(line.start, end if end >= 0 else line.end)
    after = "" if end >= 0 else "::"
    return CompletionContext(CompletionKind.KEY, Surface.KEEP_DTYPE, replace, text[line.start : offset], after=after)
