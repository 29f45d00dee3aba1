"""Lines as writers see them: where they start and end, how they are indented, and where another statement or import goes."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.languages.python.lines.logical_lines import LogicalLines
from npu_lsp.languages.python.source import source_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_JOINED = re.compile(r"(?:[ \t\f]*\\(?:\r\n|\n|\r))*[ \t\f]*")
_HEADER = re.compile(r"(?:if|for|while|with|try|else|def|class)\b")


def _logical_lines_of(document: Document) -> LogicalLines:
    """Return the document's logical lines."""
    return source_of(document).logical_lines


def whole_lines(document: Document, span: Span) -> Span:
    """Return the physical lines that `span` touches, with their line ends, and those that are only joined to the first."""
    start = line_start(document, span.start)
    last = document.line_of(span.end)
    end = document.line_starts[last + 1] if last + 1 < document.line_count else len(document.text)
    return Span(start, end)


def indentation(document: Document, offset: int) -> str:
    """Return the blanks at the start of the line that holds `offset`, or of the first that is joined to it and has some."""
    lines = range(document.line_of(line_start(document, offset)), document.line_of(offset) + 1)
    found = (text[: len(text) - len(text.lstrip(" \t\f"))] for text in map(document.line_text, lines))
    return next(filter(None, found), "")


def line_start(document: Document, offset: int) -> int:
    """Return where the line of `offset` starts, or the first above it that has only a backslash, which joins it to this one."""
    line = document.line_of(offset)
    while line > 0 and document.line_text(line - 1).strip(" \t\f\ufeff") == "\\":
        line -= 1
    return document.line_span(line).start


def line_end(document: Document, offset: int) -> int | None:
    """Return where the line ends on which a statement does that ends at `offset`; `None` where other code follows.

    A backslash behind the statement joins the next line to it, which is blank.
    """
    joined = _JOINED.match(document.text, offset)
    at = joined.end() if joined is not None else offset
    end = document.line_span(document.line_of(at)).end
    return end if document.line_of(at) == document.line_of(offset) or document.text[at:end][:1] in ("", "#") else None


def starts_line(document: Document, offset: int) -> bool:
    """Return whether only blanks stand in front of `offset` on its line."""
    start = document.line_span(document.line_of(offset)).start
    return not document.text[start:offset].strip(" \t\f")


def below(document: Document, offset: int, lines: Sequence[str]) -> tuple[Edit, ...]:
    """Return the edit that puts `lines` below the logical line at `offset`; nothing where no statement can stand there."""
    logical_lines = _logical_lines_of(document)
    index = logical_lines.at(offset)
    if index is None:
        return ()
    start = logical_lines.starts[index]
    if not starts_line(document, start) or _HEADER.match(document.text, start):
        return ()
    end = line_end(document, logical_lines.ends[index])
    if end is None:
        return ()
    ending, indent = document.newline_at(logical_lines.ends[index]), indentation(document, start)
    return (Edit(Span(end, end), "".join(ending + (indent + line if line else "") for line in lines)),)


def unused(name: str, taken: str) -> str:
    """Return `name`, with a number behind it where `taken` has that word already."""
    number, found = 1, name
    while re.search(rf"\b{found}\b", taken):
        number += 1
        found = f"{name}_{number}"
    return found


_IMPORT_OS = re.compile(r"import\b(?:[\w., \t]*,)?[ \t]*os[ \t]*(?:,|\Z)")
_FUTURE = re.compile(r"from[ \t]+__future__\b")
_NEEDS_OS = re.compile(r"(?<![\w.])os\.")


def imports(expression: str, document: Document) -> tuple[Edit, ...]:
    """Return what imports `os` where the expression needs it and the file doesn't have it."""
    if not _NEEDS_OS.search(expression):
        return ()
    text, logical_lines = document.text, _logical_lines_of(document)
    for start, end, indent in zip(logical_lines.starts, logical_lines.ends, logical_lines.indents, strict=True):
        if not indent and _IMPORT_OS.match(text[start:end]):
            return ()
    return (added_import(document, "import os"),)


def added_import(document: Document, code: str) -> Edit:
    """Return what puts an import where one can stand."""
    first = _first_import(document)
    return Edit(Span(first, first), code + document.newline_at(first))


def _first_import(document: Document) -> int:
    """Return where another import can stand: before the first one, or behind what must come first."""
    text, logical_lines = document.text, _logical_lines_of(document)
    for start, end, indent in zip(logical_lines.starts, logical_lines.ends, logical_lines.indents, strict=True):
        code = text[start:end]
        if not indent and code.startswith(("import ", "from ")) and not _FUTURE.match(code):
            return start
    return _after_head(document)


def _after_head(document: Document) -> int:
    """Return where the first statement behind the docstring and `__future__` starts."""
    text, logical_lines = document.text, _logical_lines_of(document)
    for index, start in enumerate(logical_lines.starts):
        code = text[start : logical_lines.ends[index]]
        is_doc = index == 0 and code.lstrip("rRuU").startswith(('"', "'"))
        if not is_doc and not _FUTURE.match(code):
            return start
    return len(text)
