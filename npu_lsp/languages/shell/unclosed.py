"""Where a quote seems to end that is never closed, or only by the quote of the next flag."""

from __future__ import annotations

import re

_NEXT_FLAG = re.compile(r"(?:\r\n|\n|\r)[ \t]*-{1,2}[A-Za-z]{2}[\w-]*(?:[= \t\\\r\n]|$)")
_FLAG_IN_LINE = re.compile(r"(?<![ \t])(?:[ \t]+(?=--?[A-Za-z]{2}[\w-]*[= \t])|[ \t]*(?:\\[ \t]*)?$)")
_REST_OF_LINE = re.compile(r"(?<![ \t])[ \t]*(?:\\[ \t]*)?$")
_COMMAND_IN_LINE = re.compile(r"[^\r\n]*?[^\s=][ \t]+--?[A-Za-z][\w-]*(?:[= \t]|$)")
_CLOSES = re.compile(r"(?<![=\s(:,])[\"'](?=[\s;|&)]|\Z)")
_LINE_REST = re.compile(r"[^\r\n]*")


def seeming_end(text: str, at: int, end: int, limit: int, *, of_flag: bool) -> int | None:
    """Return where the quote at `at` seems to end; `None` where that is `end`, at which its partner stands.

    While a value is typed its quote is not closed yet, and everything up to the next quote would belong to it.
    """
    if end >= 0 and text.find("\n", at + 1, end) < 0 and text.find("\r", at + 1, end) < 0:
        return None
    line = _LINE_REST.match(text, at + 1, limit)
    line_end = line.end() if line else limit
    if end >= 0 and not (of_flag and _NEXT_FLAG.search(text, line_end, end)):
        return None
    if end >= 0 and _COMMAND_IN_LINE.match(text, at + 1, line_end) and _CLOSES.match(text, end):
        # A whole command with flags of its own, on several lines: `msprof --application="python a.py --x \\`.
        return None
    match = (_FLAG_IN_LINE if of_flag else _REST_OF_LINE).search(text, at + 1, line_end)
    return match.start() if match else line_end
