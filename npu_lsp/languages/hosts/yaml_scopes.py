"""Whose environment a variable of a YAML file is in: that of the container, the step or the job whose `env:` it stands in."""

from __future__ import annotations

from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

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
    above, below = _reach(document, *head)
    return above <= last <= below


@Memoized
def _reach(document: Document, line: int, column: int) -> tuple[int, int]:
    """Return the first and the last line of the mapping that has a key at `line`; kept, since each command asks for each variable."""
    above = next((each for each in range(line - 1, max(0, line - 2 * _MOST), -1) if _ends(document, each, column)), 0)
    lines = range(line + 1, min(document.line_count, line + 2 * _MOST))
    return above, next((each for each in lines if _ends(document, each, column)), lines.stop) - 1


def _ends(document: Document, line: int, column: int) -> bool:
    """Return whether a line ends the mapping whose keys stand at `column`."""
    said = document.line_text(line)
    return bool(said.strip()) and (_column(document, line) < column or said.startswith("---"))


@Memoized
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
