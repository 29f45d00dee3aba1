"""Lines as writers see them: where they start and end, how they are indented, how they end."""

from __future__ import annotations

from npu_lsp.languages.python.lines.logical_lines import LogicalLines
from npu_lsp.languages.python.source import source_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span


def logical_lines_of(document: Document) -> LogicalLines:
    """Return the document's logical lines."""
    return source_of(document).logical_lines


def whole_lines(document: Document, span: Span) -> Span:
    """Return the physical lines that `span` touches, with their line ends."""
    start = document.line_span(document.line_of(span.start)).start
    last = document.line_of(span.end)
    end = document.line_starts[last + 1] if last + 1 < document.line_count else len(document.text)
    return Span(start, end)


def indentation(document: Document, offset: int) -> str:
    """Return the blanks at the start of the line that holds `offset`."""
    line = document.line_text(document.line_of(offset))
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def starts_line(document: Document, offset: int) -> bool:
    """Tell whether only blanks stand in front of `offset` on its line."""
    start = document.line_span(document.line_of(offset)).start
    return not document.text[start:offset].strip(" \t\f")
