"""The shell reader. Parsers are imported when a script names a tool or a variable that matters."""

from __future__ import annotations

from npu_lsp.languages.model import Cursor, Reading
from npu_lsp.languages.shell.triggers import may_hold
from npu_lsp.text.document import Document


def read(document: Document) -> Reading:
    """Return what a script sets."""
    if not may_hold(document.text) and "npu-lsp:" not in document.text:
        return Reading()
    from npu_lsp.languages.shell.reader import read_script_file

    return read_script_file(document)


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`, from the text of the command around it."""
    from npu_lsp.languages.shell.at_cursor import cursor_at

    return cursor_at(document, offset)
