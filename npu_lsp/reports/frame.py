"""Source lines with what is wrong underlined, aligned as a terminal shows them.

Terminals give East Asian wide characters and most emoji two cells, combining ones none; tabs are shown as blanks.
Source: Unicode Standard Annex #11.
"""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width

TAB = 4
"""Cells that a tab is shown in."""
_WIDTH = 120
"""Cells of a source line that are shown."""
_ZERO = frozenset({"Mn", "Me", "Cf"})
_CUT = "…"
_COMMANDS = ("::", "##")
"""What the commands of GitHub and Azure begin with, wherever they stand in a log."""


def cells(text: str) -> int:
    """Return how many cells of a terminal `text` takes; it must be `shown` text."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def shown(text: str) -> str:
    """Return `text` as a frame shows it: tabs as blanks, control characters as their pictures."""
    if text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def shown_path(path: str) -> str:
    """Return `path` as a line may begin with it: one that a CI system would take for a command of its own starts with `./`."""
    return shown(f"./{path}" if path.startswith(_COMMANDS) else path)


def one_line(text: str) -> str:
    """Return `text` as it may go to a terminal: in one line, and without characters that would control it."""
    return shown(" ".join(text.split()))


def window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return what is shown of a line, and where in it, in cells, the characters from `start` to `end` lie.

    A long line is cut so that the start of the marked part can be seen.
    """
    before, marked, after = shown(text[:start]), shown(text[start:end]), shown(text[end:])
    left, width = cells(before), cells(marked)
    if left + width + cells(after) <= _WIDTH:
        return before + marked + after, left, width
    if left > _WIDTH // 2:
        before = _CUT + _last(before, _WIDTH // 4)
        left = cells(before)
    room = _WIDTH - left
    line = before + _first(marked + after, room)
    return line, left, min(width, cells(line) - left)


def _cell(char: str) -> int:
    if combining(char) or category(char) in _ZERO:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _visible(char: str) -> str:
    if char == "\t":
        return " " * TAB
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    # Direction marks and the like would garble the terminal; joiners belong to the characters around them.
    return char if char.isprintable() or char in "\u200c\u200d\u3000\u00a0" else "\ufffd"


def _first(text: str, room: int) -> str:
    if cells(text) <= room:
        return text
    used = 0
    for index, char in enumerate(text):
        used += _cell(char)
        if used > room - 1:
            return text[:index] + _CUT
    return text


def _last(text: str, room: int) -> str:
    used = 0
    for index in range(len(text) - 1, -1, -1):
        used += _cell(text[index])
        if used > room:
            return text[index + 1 :]
    return text
