"""What a log must not hold, told without asking the program: signs that control a terminal or can't be seen, and commands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

PIECES = (
    "##vso[task.complete]", "#\u200d#vs\u200co[x]", "#\ufe0f#\ufe0f[add-mask]", "##teamcity[x]", "###[x]", "::error::x",
    ":\u200d:add-mask::x", ":\ufe0f:add-mask::x", "\n", "\r", "\r\n", "\t", " ", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\u3000",
    "\x00", "\x08", "\x1b", "\x1b[2J", "\x7f", "\x9b", "\x9b2J", "\u202e", "\u2066", "\u200b", "\u200e", "\u200d", "\ufeff", "\xad",
    "\U000e0041", "\udcff", "]", ";", "%0A", "%", ",", "\"", "'", "`", "|", "<b>", "&", "\\", "=1+1", "＝1", "＋", "－", "＠", "-1",
    "word", "昇腾", "😀", "#", "[", ":",
)  # fmt: skip
"""What hostile names and messages are made of."""


def seen_by_an_agent(line: str) -> str:
    """Return a line as GitHub's and Azure's agents compare it: what has no weight in .NET doesn't count."""
    return "".join(char for char in line if not _is_weightless(char))


def _is_weightless(char: str) -> bool:
    category = unicodedata.category(char)
    selects = "VARIATION SELECTOR" in unicodedata.name(char, "") or char == "\u034f"
    return selects or category == "Cf" or (category == "Cc" and not char.isspace())


def wrong(log: str, ends: str = "\n") -> Iterator[str]:
    """Yield what a log must not hold; lines end with `ends`."""
    plain = re.sub("\x1b\\[[0-9;]*m", "", log)  # colours of our own
    for line in plain.split(ends):
        for before, char in () if line.isascii() and line.isprintable() else zip(" " + line, line, strict=False):
            hidden = unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")
            if hidden and not (char in "\u200c\u200d" and not before.isascii()):
                yield f"{ord(char):04x} in {line!r}"
        agents = line if line.isascii() and line.isprintable() else seen_by_an_agent(line)
        if agents.strip().startswith("::") or re.search(r"##[A-Za-z]*\[", agents):
            yield f"a command: {line!r}"
