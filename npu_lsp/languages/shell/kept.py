"""Keeps what was read of each command of a script for the next version of it.

It holds as long as the text that was looked at stays, and the script around it gives the same answers; the command is
then only moved.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from npu_lsp.languages.model import Branch
from npu_lsp.languages.shell.asked import Asked
from npu_lsp.languages.shell.commands import Found
from npu_lsp.languages.shell.lexer import Simple
from npu_lsp.languages.shell.scope import Variables
from npu_lsp.languages.shell.script import LONGEST
from npu_lsp.languages.shift import Shift
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Change

_MEMO = "shell.commands"
# The rest of a line, blank lines and comments below it, and the line behind them: flags there were meant for the command.
_BELOW = re.compile(r"[^\r\n]*(?:\r\n|\n|\r(?!\n))(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r(?!\n)))*[^\r\n]*")
_FAR = 4000
"""What is looked at below a command; a thousand commands may stand in one line."""
_LINE_END = 2
"""As many characters as there are in the longest one."""


class _Kept(NamedTuple):
    """One command as it was read."""

    reach: int
    """Where the text ends that was looked at; behind the last character where it is the end of the whole text."""
    limit: int
    asked: Asked
    found: Found


class Kept:
    """The commands of one version, and those of the version before."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._size = len(document.text)
        ancestor, change = document.ancestor, document.change
        self._before: dict[int, _Kept] = ancestor.memo.get(_MEMO, {}) if ancestor is not None else {}
        self._change = change or Change(0, 0, 0)
        self._shift = Shift(self._change)
        self._now: dict[int, _Kept] = {}
        document.memo[_MEMO] = self._now

    def keep(self, start: int, limit: int, simple: Simple, asked: Asked, found: Found) -> None:
        """Keep what was found in the command that starts at `start` and was split up to `limit` at the most.

        One with a slip is looked at again, since nobody knows how far its text reaches.
        """
        if asked.more or found.mistakes or simple.unclosed or simple.stop - start >= LONGEST:
            return
        end = min(self._size, simple.stop + _FAR)
        below = _BELOW.match(self._text, simple.stop, end)
        reach = below.end() + _LINE_END if below is not None else end + 1
        if reach > end < self._size:
            return
        self._now[start] = _Kept(reach, self._bound(start, limit), asked, found)

    def again(self, start: int, limit: int, branch: Branch, variables: Variables) -> Found | None:
        """Return what the command at `start` sets where that is known from the version before."""
        was = self._shift.back(start)
        kept = self._before.get(was)
        if kept is None or kept.limit != self._bound(start, limit):
            return None
        in_front = start < self._change.start
        if in_front and kept.reach > self._change.start:
            return None
        asked = kept.asked.again(variables, self._shift, branch)
        if asked is None:
            return None
        found = kept.found if in_front and branch == kept.asked.branch else _moved(kept.found, self._shift, branch)
        self._now[start] = _Kept(kept.reach + start - was, kept.limit, asked, found)
        return found

    def _bound(self, start: int, limit: int) -> int:
        """Return how long a command may be, where something other than the end of the text says so."""
        return limit - start if limit < self._size else -1


def _moved(found: Found, shift: Shift, branch: Branch) -> Found:
    """Return what a command sets that stands in `branch` now."""
    return Found(
        blocks=[shift.block(block, branch) for block in found.blocks],
        exported=[shift.setting(setting, branch) for setting in found.exported],
        plain=[shift.setting(setting, branch) for setting in found.plain],
    )
