"""The shell reader. Parsers are imported when a script names a tool, a variable, or an interpreter of something that matters."""

from __future__ import annotations

from npu_lsp.languages.json.flags import named_in
from npu_lsp.languages.model import Cursor, Reading
from npu_lsp.languages.shell.triggers import may_match, runs_python
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_INNER = (Kind.PYTHON, Kind.ADDITIONAL_CONFIG)


def read(document: Document) -> Reading:
    """Return what a script sets."""
    text = document.text
    if not may_match(text) and "npu-lsp:" not in text:
        return Reading()
    from npu_lsp.languages.shell.reader import read_script

    return read_script(document)


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`, from the text of the command around it."""
    if runs_python(document.text) or named_in(document.text):
        from npu_lsp.languages import read as read_known
        from npu_lsp.languages.embedding import cursor_in_regions, regions

        read_known(document)
        found = cursor_in_regions(offset, (r for r in regions(document) if r.found.kind in _INNER))
        if found is not None:
            return found
    from npu_lsp.languages.shell.at_cursor import cursor_at

    return cursor_at(document, offset)
