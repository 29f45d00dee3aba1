"""Where the line of a place starts, for readers of a text that no document holds."""

from __future__ import annotations

_FIRST_LOOK = 256


def line_start(text: str, at: int) -> int:
    r"""Return where the line starts that `at` stands on, which ends at `\n`, `\r\n` or `\r`.

    It looks at no more than that line and as much above it: who looks for the one sign from the start of the text on, where a
    text has the other one alone, reads all of it for each of its lines.
    """
    look = _FIRST_LOOK
    while True:
        first = max(0, at - look)
        found = max(text.rfind("\n", first, at), text.rfind("\r", first, at))
        if found >= 0 or first == 0:
            return found + 1
        look *= 4
