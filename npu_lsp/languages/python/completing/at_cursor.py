"""What can be completed at a place, told from the text of its statement: it need not parse."""

from __future__ import annotations

from npu_lsp.languages.python.completing import at_argument, at_attribute, at_command, at_entry
from npu_lsp.languages.python.completing.fragment import fragment
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.wanted import Cursor
from npu_lsp.text.document import Document


def cursor_at(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`."""
    source = source_of(document)
    index = source.logical_lines.before(offset)
    if index < 0:
        return None
    at = fragment(document.text, source.logical_lines.starts[index], offset)
    if at is None:
        return None
    roles = source.roles
    return (
        at_entry.answer(at, roles)
        or at_argument.answer(at, roles)
        or at_attribute.answer(at, roles)
        or at_command.answer(at, source.logical_lines.ends[index])
    )
