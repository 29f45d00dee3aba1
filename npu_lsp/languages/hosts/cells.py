r"""The code cells of a notebook file, with the place of each character in its JSON.

A JSON parser tells no places, so the file is gone through token by token, without recursion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.embedding import Write

# A text without an end is one token, so that nobody looks for its end again and again.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|".*\Z|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "/": "/"}
_DIGITS = re.compile(r"[0-9A-Fa-f]{4}")
_DEEPEST = 200


class Cell(NamedTuple):
    """The text of a cell and where its characters stand."""

    text: str
    starts: list[int]
    ends: list[int]
    write: Write
    number: int = 1
    """Counts all cells of the notebook from 1, those that hold no code, too."""


def looks_like_notebook(text: str) -> bool:
    """Tell whether `text` is a notebook file, and not the text of one cell."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and ('"cells"' in text or '"worksheets"' in text)


def code_cells(text: str) -> Iterator[Cell]:
    """Yield the code cells of a notebook file, in their order."""
    # For each open object or list: the key that is next in an object, and what is known of it as a cell.
    keys: list[str | None] = []
    cells: list[_Collected] = []
    lists: list[bool] = []
    key_next: str | None = None
    last = ""
    number = 0
    for match in _TOKEN.finditer(text):
        sign = match.group()
        if sign in ("{", "["):
            if len(keys) >= _DEEPEST:
                return
            keys.append(key_next)
            lists.append(sign == "[")
            cells.append(_Collected())
            key_next = None
        elif sign in ("}", "]"):
            if not keys:
                return
            done = cells.pop()
            lists.pop()
            keys.pop()
            key_next = None
            number += sign == "}" and keys[-1:] == ["cells"]
            if sign == "}" and done.is_code and done.pieces:
                yield _cell(text, done.pieces, number)
        elif sign == ",":
            key_next = None
        elif sign[0] == '"' and keys:
            _take(match, keys, lists, cells, key_next)
            last = sign
        elif sign == ":":
            key_next = last.strip('"')


class _Collected:
    """What is known of an object that may be a cell."""

    __slots__ = ("is_code", "pieces")

    def __init__(self) -> None:
        self.is_code = False
        self.pieces: list[tuple[int, int]] = []


def _take(
    match: re.Match[str],
    keys: list[str | None],
    lists: list[bool],
    cells: list[_Collected],
    key: str | None,
) -> None:
    """Take a string where it tells a cell's type or is a part of its source."""
    if lists[-1]:
        if keys[-1] in ("source", "input") and len(cells) > 1:
            cells[-2].pieces.append(match.span())
    elif key == "cell_type":
        cells[-1].is_code = match.group() == '"code"'
    elif key in ("source", "input"):
        cells[-1].pieces.append(match.span())


def _cell(text: str, pieces: list[tuple[int, int]], number: int) -> Cell:
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in pieces:
        for char, one, other in _decoded(text, start + 1, end - 1):
            chars.append(char)
            starts.append(one)
            ends.append(other)
    return Cell("".join(chars), starts, ends, _writing(text, pieces), number)


def _decoded(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the characters of a JSON string with their places."""
    at = start
    while at < end:
        char, first = text[at], at
        at += 1
        if char == "\\" and at < end:
            sign = text[at]
            at += 1
            if sign == "u":
                code = _hexadecimal(text, at)
                at += 4
                if 0xD800 <= code < 0xDC00 and text.startswith("\\u", at):
                    low = _hexadecimal(text, at + 2)
                    if 0xDC00 <= low < 0xE000:
                        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                        at += 6
                char = chr(code)
            else:
                char = _ESCAPES.get(sign, sign)
        yield char, first, min(at, end)


def _hexadecimal(text: str, at: int) -> int:
    # Not all that `int` takes for a number: a sign, a blank or `_` is none in JSON.
    digits = _DIGITS.match(text, at)
    return int(digits[0], 16) if digits is not None else 0xFFFD


def _writing(text: str, pieces: list[tuple[int, int]]) -> Write:
    """Return how a text is written into a cell: a new line is a string of its own where lines are strings."""
    joint = "\\n"
    if len(pieces) > 1:
        between = text[pieces[0][1] : pieces[1][0]]
        joint = '\\n"' + between + '"'

    def write(inserted: str) -> str:
        return joint.join(json.dumps(line, ensure_ascii=False)[1:-1] for line in inserted.split("\n"))

    return write
