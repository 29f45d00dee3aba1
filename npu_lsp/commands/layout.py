"""Lays text out for a terminal: paragraphs, and lines of two columns."""

from __future__ import annotations

import re

from npu_lsp.text.terminal import cells

_COLUMNS = re.compile(r"(?P<left> +\S.*?)(?P<gap> {2,})(?P<right>\S.*)")
_NARROWEST = 24
"""Cells that a second column needs at least."""


def laid(text: str, width: int) -> list[str]:
    """Return the lines of a text that fit into `width` cells: paragraphs laid anew, indented lines broken below what they say."""
    lines: list[str] = []
    paragraph = ""
    for line in [*text.splitlines(), ""]:
        if line and not line.startswith(" "):
            # Lines of Chinese are joined without a blank.
            paragraph += line if not paragraph or not paragraph[-1].isascii() else f" {line}"
            continue
        lines += wrapped(paragraph, width) if paragraph else []
        paragraph = ""
        lines += _hung(line, width)
    return lines[:-1]


def _hung(line: str, width: int) -> list[str]:
    """Return an indented line, its second column below itself where it has one, and below the first where that takes too much."""
    columns = _COLUMNS.fullmatch(line)
    if columns is None or cells(line) <= width:
        return [line]
    indent = len(columns["left"] + columns["gap"])
    if indent > width - _NARROWEST:
        return [columns["left"], *(f"      {piece}" for piece in wrapped(columns["right"], width - 6))]
    first, *others = wrapped(columns["right"], width - indent)
    return [columns["left"] + columns["gap"] + first, *(" " * indent + piece for piece in others)]


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text in which one may break at blanks and behind every wide character, and in no name."""
    lines = [""]
    for piece in re.findall(r" *（?(?:[\x21-\x7e]+|.)[，。；：、）]*", text):
        if lines[-1] and cells(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return lines
