"""Text as a terminal shows it: how wide it is there, and without what would control the terminal.

Terminals give East Asian wide characters and most emoji two cells, combining ones none; tabs are shown as blanks.
Source: Unicode Standard Annex #11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unicodedata import category, combining, east_asian_width

_TAB = 4
"""Cells that a tab is shown in."""
_ZERO = frozenset({"Mn", "Me", "Cf"})
_COMMANDS = ("::", "##")
"""What lines of a log begin with that GitHub and Azure take for commands."""


def cells(text: str) -> int:
    """Return how many cells of a terminal `text` takes; it must be `shown` text."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def aligned(rows: Sequence[Sequence[str]], widest: int | None = None) -> Iterator[str]:
    """Yield a line for each of `rows`, cells below cells; a column has `widest` cells of a terminal at most."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (
            text + " " * (min(width, widest or width) - cells(text)) for text, width in zip(row, widths, strict=True)
        )
        yield "  ".join(padded).rstrip() + "\n"


def shown(text: str) -> str:
    """Return `text` as a frame shows it: tabs as blanks, control characters as their pictures, and no command of a CI system."""
    return harmless(text if text.isprintable() else "".join(_visible(char) for char in text))


def harmless(text: str) -> str:
    """Return `text` with a blank in what GitHub's and Azure's agents take for a command."""
    return without_commands(text, "# ")


def without_commands(text: str, sign: str) -> str:
    """Return `text` with `sign` for the `#` that begins what GitHub's and Azure's agents take for a command, wherever it stands in a line.

    Where `sign` is how a format escapes a `#`, its readers get the same text. Joiners count for nothing where the agents compare.
    Sources: actions/runner, src/Runner.Common/ActionCommand.cs; microsoft/azure-pipelines-agent,
    src/Microsoft.VisualStudio.Services.Agent/Command.cs.
    """
    if "#" not in text or "[" not in text:
        return text
    import re

    return re.sub(r"#(?=J#(?:JvJsJo)?J\[)".replace("J", "[\u200c\u200d]*"), lambda _: sign, text)


def shown_path(path: str) -> str:
    """Return `path` as a line may begin with it: one that a CI system would take for a command of its own starts with `./`."""
    return shown(f"./{path}" if path.startswith(_COMMANDS) else path)


def one_line(text: str) -> str:
    """Return `text` as it may go to a terminal: in one line, and without characters that would control it."""
    return shown(" ".join(text.split()))


def _visible(char: str) -> str:
    if char == "\t":
        return " " * _TAB
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    # Direction marks and the like would garble the terminal; joiners belong to the characters around them.
    return char if char.isprintable() or char in "\u200c\u200d\u3000\u00a0" else "\ufffd"


def _cell(char: str) -> int:
    if combining(char) or category(char) in _ZERO:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
