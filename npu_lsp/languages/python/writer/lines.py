"""Lines as writers see them: where they start and end, how they are indented, how they end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from npu_lsp.languages.python.lines.logical_lines import LogicalLines
from npu_lsp.languages.python.source import source_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_HEADER = re.compile(r"(?:if|for|while|with|try|else|def|class)\b")


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


def below(document: Document, offset: int, lines: Sequence[str]) -> tuple[Edit, ...]:
    """Return the edit that puts `lines` below the logical line at `offset`; nothing where no statement can stand there."""
    logical_lines = logical_lines_of(document)
    index = logical_lines.at(offset)
    if index is None:
        return ()
    start = logical_lines.starts[index]
    if not starts_line(document, start) or _HEADER.match(document.text, start):
        return ()
    end = document.line_span(document.line_of(logical_lines.ends[index])).end
    ending, indent = document.newline_at(end), indentation(document, start)
    return (Edit(Span(end, end), "".join(ending + (indent + line if line else "") for line in lines)),)


def unused(name: str, taken: str) -> str:
    """Return `name`, with a number behind it where `taken` has that word already."""
    number, found = 1, name
    while re.search(rf"\b{found}\b", taken):
        number += 1
        found = f"{name}_{number}"
    return found
