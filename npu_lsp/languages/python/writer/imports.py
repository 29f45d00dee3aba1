"""Where another import goes, and the one that an expression needs."""

from __future__ import annotations

import re

from npu_lsp.languages.python.writer.lines import logical_lines_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_IMPORT_OS = re.compile(r"import\b(?:[\w., \t]*,)?[ \t]*os[ \t]*(?:,|\Z)")
_FUTURE = re.compile(r"from[ \t]+__future__\b")
_NEEDS_OS = re.compile(r"(?<![\w.])os\.")


def imports(expression: str, document: Document) -> tuple[Edit, ...]:
    """Return what imports `os` where the expression needs it and the file doesn't have it."""
    if not _NEEDS_OS.search(expression):
        return ()
    text, logical_lines = document.text, logical_lines_of(document)
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
    text, logical_lines = document.text, logical_lines_of(document)
    for start, end, indent in zip(logical_lines.starts, logical_lines.ends, logical_lines.indents, strict=True):
        code = text[start:end]
        if not indent and code.startswith(("import ", "from ")) and not _FUTURE.match(code):
            return start
    return _after_head(document)


def _after_head(document: Document) -> int:
    """Return where the first statement behind the docstring and `__future__` starts."""
    text, logical_lines = document.text, logical_lines_of(document)
    for index, start in enumerate(logical_lines.starts):
        code = text[start : logical_lines.ends[index]]
        is_doc = index == 0 and code.lstrip("rRuU").startswith(('"', "'"))
        if not is_doc and not _FUTURE.match(code):
            return start
    return len(text)
