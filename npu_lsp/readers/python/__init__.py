"""Reads Python: finds each place that sets an NPU option, also in code that doesn't parse."""

from __future__ import annotations

from npu_lsp.document import Document
from npu_lsp.readers.model import Cursor, Reading
from npu_lsp.readers.python.triggers import is_of_interest


def read(document: Document) -> Reading:
    """Return what `document` sets. Never raises for what a text can hold."""
    if not is_of_interest(document.text):
        return Reading()
    from npu_lsp.readers.python.reading import read_source

    return read_source(document)


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`, told from the statement's own text."""
    from npu_lsp.readers.python.at_cursor import cursor_at

    return cursor_at(document, offset)
