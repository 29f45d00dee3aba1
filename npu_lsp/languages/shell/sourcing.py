"""Whether a script runs others in its own shell, which may then read and change its variables."""

from __future__ import annotations

import re

_RUN_HERE = re.compile(r"(?:source|\.)[ \t]+[^\s;&|]")
# Plain searches are ten times a pattern's speed.
_SIGNS = ("source", ". ", ".\t")
_BEFORE = frozenset("\n;&|({ \t")


def sources(text: str) -> bool:
    """Tell whether `source file` or `. file` seems to stand somewhere in `text`."""
    for sign in _SIGNS:
        at = text.find(sign)
        while at >= 0:
            if (not at or text[at - 1] in _BEFORE) and _RUN_HERE.match(text, at):
                return True
            at = text.find(sign, at + 1)
    return False
