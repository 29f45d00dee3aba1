"""Where words stand on their lines."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span, line_start

_TAIL = re.compile(r"(?P<join>[ \t]*\\)?[ \t]*(?P<end>\r\n|\n|\r|$)")
_COMMENT_TAIL = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?P<end>\r\n|\n|\r|$)")


class CommandLines(NamedTuple):
    """The lines that a stretch of words stands on."""

    start: int
    """Where the first of them starts."""
    end: int
    """Where the last of them ends, its line end included."""
    first: bool
    """Nothing stands before the words."""
    last: bool
    """Nothing but a backslash stands behind them."""
    continued: bool
    """A backslash joins the line below."""
    above: int | None
    """Where the backslash of the line above stands, with the blanks before it."""
    indent: str


def lines_of(text: str, span: Span) -> CommandLines:
    """Return how `span` stands on its lines."""
    start = line_start(text, span.start)
    indent = text[start : span.start]
    tail = _TAIL.match(text, span.end)
    above = _joined_above(text, start) if not indent.strip(" \t") else None
    blank = indent[: len(indent) - len(indent.lstrip(" \t"))]
    return CommandLines(
        start=start,
        end=tail.end() if tail else span.end,
        first=not indent.strip(" \t"),
        last=tail is not None,
        continued=tail is not None and tail["join"] is not None,
        above=above,
        indent=blank,
    )


def _joined_above(text: str, start: int) -> int | None:
    """Return where the backslash stands that joins the line above with the one at `start`, with the blanks before it."""
    at = start - (2 if text.startswith("\r\n", max(0, start - 2)) else 1) - 1
    return blanks_before(text, at) if at >= 0 and text[at] == "\\" else None


def comment_end(text: str, at: int) -> int | None:
    """Return where the line ends, its line end included, if nothing but a comment stands behind `at`."""
    match = _COMMENT_TAIL.match(text, at)
    return match.end() if match else None


def blanks_before(text: str, at: int) -> int:
    """Return where the blanks start that stand before `at`."""
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    return at


def blanks_behind(text: str, at: int) -> int:
    """Return where the blanks end that stand behind `at`."""
    while at < len(text) and text[at] in " \t":
        at += 1
    return at
