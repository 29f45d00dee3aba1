"""Markdown that stays what it is: text from data can't become a link, an image or HTML."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.text import lazy_re as re
from npu_lsp.text.terminal import one_line, shown_lines

_LONGEST = 10_000
"""More of a text is not shown: a file of a stranger may hold megabytes of unclosed backticks."""

_TICKS = re.compile(r"`+")
_ACTIVE = re.compile(r"([\[\]<>&!|])")
_SPECIAL = re.compile(r"([\\`*\[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[#+-])")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s")
_END = (".", "。", "！", "？", "!", "?", ":", "：", "；")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_ESCAPE = re.compile(r"\\([^\w\s])")
_LINK = re.compile(r"(?<!\\)\[([^\[\]\n]*)\]\((https?://[^\s()]*)\)")
_BREAK = re.compile(r"(?<! ) +$", re.MULTILINE)
_STOP = re.compile(r"[\u3000-\u303f\uff00-\uffef]")


def code(text: object) -> str:
    """Return `text` as a code span, whatever it holds; in the log of a CI system it is no command."""
    plain = one_line(str(text)[:_LONGEST]) or " "
    runs = {len(run) for run in _TICKS.findall(plain)}
    fence = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
    pad = " " if plain[0] == "`" or plain[-1] == "`" else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def plain(text: str) -> str:
    """Return `text` so that Markdown shows it as it is; in the log of a CI system it is no command."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def sentences(text: str) -> str:
    """Return `text` as Markdown shows it, with what stands between its backticks as code; whatever that holds, it is no link and no HTML."""
    parts = one_line(text).split("`")
    if len(parts) % 2 == 0:
        return plain(text)
    return "".join(code(part) if number % 2 else _SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts))


def bare(text: str) -> str:
    """Return Markdown as a terminal shows it best: without escapes, bold and signs for breaks; code spans stay."""
    made: list[str] = []
    start = 0
    for first, last in _spans(text):
        made += (_unsigned(text[start:first]), text[first:last])
        start = last
    made.append(_unsigned(text[start:]))
    return _BREAK.sub("", "".join(made))


def _unsigned(text: str) -> str:
    return _ESCAPE.sub(r"\1", _LINK.sub(r"\1: \2", text.replace("**", "")))


def prose(text: str) -> str:
    """Return a text of the catalog with its code spans, emphasis and lists, and with nothing that can be clicked.

    Lines are joined where the file only wraps them: a line stays apart when it ends a sentence or starts an item.
    """
    return "".join(_flowed(_inactive(shown_lines(text[:_LONGEST]))))


def link(text: str, address: str) -> str:
    """Return a link to a web address, or the plain text when it is something else."""
    if not re.fullmatch(r"https?://[^\s<>()\\]+", address):
        return plain(text)
    return f"[{plain(text)}]({address})"


def _inactive(text: str) -> str:
    made: list[str] = []
    start = 0
    for first, last in _spans(text):
        made.append(_ACTIVE.sub(r"\\\1", text[start:first]))
        made.append(text[first:last])
        start = last
    made.append(_ACTIVE.sub(r"\\\1", text[start:]))
    return "".join(made)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where code spans start and end: from a run of backticks to the next one of the same length."""
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(text)]
    following: dict[int, int] = {}
    closing: list[int | None] = []
    for number in range(len(runs) - 1, -1, -1):
        size = runs[number][1] - runs[number][0]
        closing.append(following.get(size))
        following[size] = number
    closing.reverse()
    number = 0
    while number < len(runs):
        close = closing[number]
        if close is None:
            number += 1
        else:
            yield runs[number][0], runs[close][1]
            number = close + 1


def _flowed(text: str) -> list[str]:
    made: list[str] = []
    before = ""
    for line in text.strip().splitlines():
        line = line.rstrip()
        if not line:
            made.append("\n\n" if before else "")
        elif not before:
            made.append(line.lstrip())
        elif _ITEM.match(line):
            made.append(f"\n{line}")
        elif before.endswith(_END):
            made.append(f"  \n{line.lstrip()}")
        else:
            line = line.lstrip()
            made.append(line if _touches(before[-1], line[0]) else f" {line}")
        before = line
    return made


def _touches(left: str, right: str) -> bool:
    """Return whether no blank stands between two characters: between Chinese ones, and beside Chinese punctuation."""
    if _STOP.match(left) or _STOP.match(right):
        return True
    return bool(_HAN.match(left) and _HAN.match(right))
