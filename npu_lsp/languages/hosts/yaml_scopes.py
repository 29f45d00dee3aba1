"""Whose environment a variable of a YAML file is in: that of the container, the step or the job whose `env:` it stands in."""

from __future__ import annotations

from npu_lsp.text.document import Document

_MOST = 500
"""Lines between a variable and a command; what is further away is another one's."""


def is_environment_of(document: Document, variable: int, command: int) -> bool:
    """Return whether the command at an offset gets the variable that is set at another one.

    It does where the mapping that has the `env:` around the variable holds the command, too: no line between them stands
    further left than `env:`, as the next item of a list does, and no other document begins.
    """
    first, last = document.line_of(variable), document.line_of(command)
    head = _head(document, first)
    if head is None or abs(first - last) > _MOST:
        return False
    line, column = head
    between = range(line + 1, last + 1) if last > line else range(last + 1, line)
    return all(
        _column(document, each) >= column and not document.line_text(each).startswith("---")
        for each in between
        if document.line_text(each).strip()
    )


def _head(document: Document, line: int) -> tuple[int, int] | None:
    """Return the line of the key that the item at `line` stands under, and the column of that key, from 0."""
    column = _column(document, line)
    dashed = document.line_text(line).lstrip().startswith("- ")
    for above in range(line - 1, max(-1, line - _MOST), -1):
        text = document.line_text(above)
        said = text.strip()
        if not said or said.startswith("#"):
            continue
        at, is_item = _column(document, above), said.startswith("- ")
        if at < column or (at == column and dashed and not is_item):
            return above, len(text) - len(text.lstrip(" -"))
    return None


def _column(document: Document, line: int) -> int:
    """Return where the text of a line begins, from 0: the dash of a list's item counts."""
    text = document.line_text(line)
    return len(text) - len(text.lstrip(" "))
