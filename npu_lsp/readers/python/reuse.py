"""Tells whether an edit can have changed anything that was read. Most of what is typed has nothing to do with it.

A reading hangs on the lines that hold words which the recognisers asked for, and on the headers around them. An edit
that touches neither, and leaves every other line in the suite that it was in, only moves what was found.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from npu_lsp.readers.python.scopes import header_at, leaves
from npu_lsp.readers.python.skeleton import Skeleton
from npu_lsp.spans import Change

_LINE_END = re.compile(r"[\r\n]")
_WORD = re.compile(r"\w+")
_ARMS = frozenset({"elif", "else", "except", "finally", "case"})


@dataclass(frozen=True, slots=True)
class Asked:
    """The words that a reading hangs on."""

    parts: frozenset[str]
    """Those that count inside longer words, too."""
    names: frozenset[str]
    """Those that count as names of their own."""
    branches: bool = False
    """Settings stand in branches: where those are left counts, too."""

    def concerns(self, text: str) -> bool:
        """Tell whether one of them is in `text`."""
        return not self.names.isdisjoint(_WORD.findall(text)) or any(part in text for part in self.parts)


def is_unrelated(old_text: str, old: Skeleton, new_text: str, new: Skeleton, change: Change, asked: Asked) -> bool:
    """Tell whether `change` leaves all that was read as it is, but for its places."""
    for skeleton in (old, new):
        if any(d.reach >= change.start for d in skeleton.damage):
            return False
    first = bisect_left(old.ends, change.start)
    if first != bisect_left(new.ends, change.start):
        return False
    old_last, new_last = _behind(old_text, old, change.old_end), _behind(new_text, new, change.new_end)
    if len(old.starts) - old_last != len(new.starts) - new_last:
        return False
    if asked.concerns(_window(old_text, change.start, change.old_end, old, first, old_last)) or asked.concerns(
        _window(new_text, change.start, change.new_end, new, first, new_last)
    ):
        return False
    touched = (range(first, old_last), range(first, new_last))
    if asked.branches and _may_leave((old_text, old, touched[0]), (new_text, new, touched[1])):
        return False
    return _keeps_structure(old_text, old, touched[0], new_text, new, touched[1])


def _behind(text: str, skeleton: Skeleton, offset: int) -> int:
    """Return the first line that has nothing to do with `offset`, not even by its indentation."""
    line = bisect_right(skeleton.starts, offset)
    if line < len(skeleton.starts) and not text[offset : skeleton.starts[line]].strip(" \t\f"):
        line += 1
    return line


def _may_leave(*versions: tuple[str, Skeleton, range]) -> bool:
    """Tell whether the touched lines may decide where a suite is left: by what they are, or by being its last."""
    if len({len(lines) for _, _, lines in versions}) > 1:
        return True
    return any(leaves(text, skeleton.starts[i]) for text, skeleton, lines in versions for i in lines)


def _window(text: str, start: int, end: int, skeleton: Skeleton, first: int, last: int) -> str:
    """Return the physical lines of the logical lines that are touched, comments included."""
    if first < last:
        start, end = min(start, skeleton.starts[first]), max(end, skeleton.ends[last - 1])
    start = max(text.rfind("\n", 0, start), text.rfind("\r", max(0, start - 10_000), start)) + 1
    found = _LINE_END.search(text, end)
    return text[start : found.start() if found else len(text)]


def _keeps_structure(old_text: str, old: Skeleton, was: range, new_text: str, new: Skeleton, now: range) -> bool:
    """Tell whether the lines behind the touched ones are in the suites that they were in."""
    for text, skeleton, lines in ((old_text, old, was), (new_text, new, now)):
        if any(header_at(text, skeleton.starts[i]) or text[skeleton.starts[i]] == "@" for i in lines):
            return False
    if len(was) == len(now) and all(old.indents[i] == new.indents[i] for i in was):
        return True
    behind = now.stop
    if behind >= len(new.starts):
        return True
    limit = new.indents[behind] + (header_at(new_text, new.starts[behind]) in _ARMS)
    touched = [old.indents[i] for i in was] + [new.indents[i] for i in now]
    return all(indent >= limit for indent in touched)
