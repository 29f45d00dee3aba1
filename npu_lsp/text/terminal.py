"""Text as a terminal shows it: how wide it is there, and without what would control the terminal.

Terminals give East Asian wide characters and most emoji two cells, combining ones none; tabs are shown as blanks.
Source: Unicode Standard Annex #11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from unicodedata import category, combining, east_asian_width

_TAB = 4
"""Cells that a tab is shown in."""
_ZERO = frozenset({"Mn", "Me", "Cf"})
_APART = "# "
_WEIGHTLESS = "\u034f\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Marks and joiners that .NET passes over where it compares, and that `printable` leaves, as people write them: a part of a pattern."""


def cells(text: str) -> int:
    """Return how many cells of a terminal `text` takes; it must be `shown` text."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def aligned(rows: Sequence[Sequence[str]], widest: int | None = None) -> Iterator[str]:
    """Yield a line for each of `rows`, cells below cells; a column has `widest` cells of a terminal at most."""
    rows = [list(map(shown, row)) for row in rows]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (
            text + " " * (min(width, widest or width) - cells(text)) for text, width in zip(row, widths, strict=True)
        )
        yield "  ".join(padded).rstrip() + "\n"


def printable(text: str, escape: Callable[[str], str], sign: str) -> str:
    """Return `text` as it may be printed, into whatever format: all that goes out asks here.

    What controls a terminal, ends a line, turns the text around or can't be seen is put through `escape`; `sign` stands for
    the `#` that begins what CI systems take for a command. Where both are how a format escapes, its readers get the same text.
    """
    if not text.isprintable():
        import re

        text = text.translate({ord(char): escape(char) for char in set(text) if not _is_seen(char)})
        # Joiners belong to the characters around them; those of ASCII need none.
        text = re.sub("(?<![^\0-\x7f])[\u200c\u200d]+", lambda joiners: "".join(map(escape, joiners[0])), text)
    return _without_commands(text, sign)


def within(text: str) -> str:
    """Return `text` as a line has it behind something else: tabs as blanks, control characters as their pictures."""
    return printable(text, picture, _APART)


def shown(text: str) -> str:
    """Return `text` as it may stand anywhere in a line, or be one: what would begin a command of GitHub's has a blank, too."""
    text = within(text)
    return text.replace(":", ": ", 1) if text.count(":") > 1 and _begins(text, f":[{_WEIGHTLESS}]*:") else text


def shown_lines(text: str) -> str:
    """Return `text` with each of its lines as it may be printed."""
    return "\n".join(map(shown, text.split("\n")))


def harmless(text: str) -> str:
    """Return `text`, which is made of what is shown, line ends and colours, with a blank in what CI systems take for a command."""
    return _without_commands(text, _APART)


def _without_commands(text: str, sign: str) -> str:
    """Return `text` with `sign` for the `#` that begins what the agents of GitHub, Azure and TeamCity take for a command.

    They look for it anywhere in a line, and what has no weight in a comparison of .NET doesn't count there, as joiners.
    Sources: actions/runner, src/Runner.Common/ActionCommand.cs; microsoft/azure-pipelines-agent,
    src/Microsoft.VisualStudio.Services.Agent/Command.cs; https://www.jetbrains.com/help/teamcity/service-messages.html.
    """
    if "#" not in text or "[" not in text:
        return text
    import re

    return re.sub(f"#(?=[{_WEIGHTLESS}]*#[A-Za-z{_WEIGHTLESS}]*\\[)", lambda _: sign, text)


def shown_path(path: str) -> str:
    """Return `path` as a line may begin with it, and a colon follow: a name that would make that a command starts with `./`."""
    return shown(f"./{path}" if _begins(path, ":|##") else path)


def _begins(line: str, sign: str) -> bool:
    """Return whether a line begins with `sign`, as GitHub's and Azure's agents see it: blanks in front don't count."""
    import re

    return re.match(rf"[\s{_WEIGHTLESS}]*(?:{sign})", line) is not None


def one_line(text: str) -> str:
    """Return `text` as it may go to a terminal: in one line, and without characters that would control it."""
    return shown(" ".join(text.split()))


def _is_seen(char: str) -> bool:
    return char.isprintable() or char in "\u200c\u200d\u3000\u00a0"


def picture(char: str) -> str:
    """Return what is shown in the place of a character that isn't seen, or shouldn't do what it does."""
    if char == "\t":
        return " " * _TAB
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def _cell(char: str) -> int:
    if combining(char) or category(char) in _ZERO:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def as_json(content: object, *, lines: bool = True) -> str:
    """Return `content` with a line for each of its parts, or in one, and a line end behind it.

    What a file says controls no terminal and is no command in the log of a CI system, and is the same text to whoever reads
    the JSON.
    """
    import json  # half of the commands never need it

    def escape(char: str) -> str:
        return char if char == "\n" else json.dumps(char)[1:-1]

    return printable(json.dumps(content, ensure_ascii=False, indent=2 if lines else None), escape, "\\u0023") + "\n"
