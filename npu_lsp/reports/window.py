"""One line as a terminal shows it, cut so that what is wrong in it can be seen."""

from __future__ import annotations

from npu_lsp.text.terminal import cells, within

MOST = 120
"""Cells of a source line that are shown."""
LEAST = 24
"""In a terminal that has less, lines are longer than it: fewer show nothing."""
_CUT = "…"


def window(text: str, start: int, end: int, room: int = MOST) -> tuple[str, int, int]:
    """Return what is shown of a line, and where in it, in cells, the characters from `start` to `end` lie.

    A line of more than `room` cells is cut so that the start of the marked part can be seen.
    """
    before, marked, after = within(text[:start]), within(text[start:end]), within(text[end:])
    left, width = cells(before), cells(marked)
    if left + width + cells(after) <= room:
        return before + marked + after, left, width
    if left > room // 2:
        before = _CUT + _last(before, room // 4)
        left = cells(before)
    line = before + _first(marked + after, room - left)
    return line, left, min(width, cells(line) - left)


def _first(text: str, room: int) -> str:
    if cells(text) <= room:
        return text
    used = 0
    for index, char in enumerate(text):
        used += cells(char)
        if used > room - 1:
            return text[:index] + _CUT
    return text


def _last(text: str, room: int) -> str:
    used = 0
    for index in range(len(text) - 1, -1, -1):
        used += cells(text[index])
        if used > room:
            return text[index + 1 :]
    return text
