"""Slips that users make, one at a time: a letter less, a line lost, a quote too few, lines pasted in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

Slip = Callable[[Random, str], str | None]
"""Returns the text with the slip in it, `None` where there is no place for it."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]{4,}")
_LINE = re.compile(r"[^\n]*\n")


def _at(pattern: str, make: Callable[[Random, str], str]) -> Slip:
    """Return the slip that puts what `make` returns in the place of one match of `pattern`."""
    form = re.compile(pattern)

    def slip(random: Random, text: str) -> str | None:
        places = [match.span() for match in form.finditer(text)]
        if not places:
            return None
        start, end = random.choice(places)
        return text[:start] + make(random, text[start:end]) + text[end:]

    return slip


def _without_a_letter(random: Random, name: str) -> str:
    at = random.randrange(1, len(name) - 1)
    return name[:at] + name[at + 1 :]


def _turned(random: Random, name: str) -> str:
    at = random.randrange(1, len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


SLIPS: Mapping[str, Slip] = {
    "letter": _at(_NAME.pattern, _without_a_letter),
    "letters": _at(_NAME.pattern, _turned),
    "line-lost": _at(_LINE.pattern, lambda _random, _found: ""),
    "line-twice": _at(_LINE.pattern, lambda _, line: line * 2),
    "lines-pasted": _at(_LINE.pattern, lambda _random, line: f"{line}├── a.txt\n│   └── b.c\n"),
    "backslash-lost": _at(r" \\(?=\n)", lambda _random, _found: ""),
    "blank-behind-backslash": _at(r"\\(?=\n)", lambda _random, _found: "\\ "),
    "comment-behind-backslash": _at(r"\\(?=\n)", lambda _random, _found: "\\  # why"),
    "comment-in-command": _at(r"\\\n", lambda _random, _found: "\\\n  # why\n"),
    "quote-lost": _at(r"[\"']", lambda _random, _found: ""),
    "quote-wide": _at(r"\"", lambda _random, _found: "“"),
    "comma-wide": _at(r",(?=\w)", lambda _random, _found: "，"),
    "blanks-around-equals": _at(r"(?<=\w)=(?=\w)", lambda _random, _found: " = "),
    "bracket-lost": _at(r"[{}()\[\]]", lambda _random, _found: ""),
    "colon-lost": _at(r":(?=\w)", lambda _random, _found: ""),
}
