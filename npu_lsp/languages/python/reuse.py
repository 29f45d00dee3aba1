"""Tells whether an edit can have changed anything that was read. Most of what is typed has nothing to do with it.

A reading hangs on the lines that hold words which the recognisers asked for, and on the headers around them. An edit
that touches neither, and leaves every other line in the suite that it was in, only moves what was found.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from npu_lsp.languages.python.scopes import header_at, leaves
from npu_lsp.languages.python.skeleton import Skeleton
from npu_lsp.languages.python.words import begins_at
from npu_lsp.text.spans import Change

_LINE_END = re.compile(r"[\r\n]")
_WORD = re.compile(r"\w+")
_ARMS = frozenset({"elif", "else", "except", "finally", "case"})


class Asked(NamedTuple):
    """The words that a reading hangs on."""

    parts: frozenset[str]
    """Those that count inside longer words, too."""
    names: frozenset[str]
    """Those that count as names of their own."""
    beginnings: frozenset[str]
    """Those that count where a word begins."""
    branches: bool = False
    """Settings stand in branches: where those are left counts, too."""

    def concerns(self, text: str) -> bool:
        """Tell whether one of them is in `text`."""
        return (
            not self.names.isdisjoint(_WORD.findall(text))
            or any(part in text for part in self.parts)
            or any(begins_at(text, m.start()) for word in self.beginnings for m in re.finditer(word, text))
        )


class Versions(NamedTuple):
    """Two versions of a text, and what lies between them."""

    old_text: str
    old: Skeleton
    new_text: str
    new: Skeleton
    change: Change

    def touched(self) -> tuple[range, range] | None:
        """Return the lines that differ, in the old and in the new text; `None` where others may differ, too."""
        old, new, change = self.old, self.new, self.change
        if any(d.reach >= change.start for d in (*old.damage, *new.damage)):
            return None
        first = bisect_left(old.ends, change.start)
        if first != bisect_left(new.ends, change.start):
            return None
        old_last = _behind(self.old_text, old, change.old_end)
        new_last = _behind(self.new_text, new, change.new_end)
        if len(old.starts) - old_last != len(new.starts) - new_last:
            return None
        return range(first, old_last), range(first, new_last)


def is_unrelated(versions: Versions, asked: Asked) -> bool:
    """Tell whether an edit leaves all that was read as it is, but for its places."""
    touched = versions.touched()
    if touched is None:
        return False
    was, now = touched
    change = versions.change
    before = _window(versions.old_text, change.start, change.old_end, versions.old, was)
    after = _window(versions.new_text, change.start, change.new_end, versions.new, now)
    if asked.concerns(before) or asked.concerns(after):
        return False
    return not (asked.branches and _may_leave(versions, was, now)) and _keeps_suites(versions, was, now)


def keeps_structure(versions: Versions) -> bool:
    """Tell whether each line has the surroundings that the line of the same number had."""
    if versions.old.indents != versions.new.indents:
        return False
    touched = versions.touched()
    return touched is not None and all(
        header_at(versions.old_text, versions.old.starts[i]) == header_at(versions.new_text, versions.new.starts[i])
        for i in touched[0]
    )


def _behind(text: str, skeleton: Skeleton, offset: int) -> int:
    """Return the first line that has nothing to do with `offset`, not even by its indentation."""
    line = bisect_right(skeleton.starts, offset)
    if line < len(skeleton.starts) and not text[offset : skeleton.starts[line]].strip(" \t\f"):
        line += 1
    return line


def _may_leave(versions: Versions, was: range, now: range) -> bool:
    """Tell whether the touched lines may decide where a suite is left: by what they are, or by being its last."""
    return (
        len(was) != len(now)
        or any(leaves(versions.old_text, versions.old.starts[i]) for i in was)
        or any(leaves(versions.new_text, versions.new.starts[i]) for i in now)
    )


def _window(text: str, start: int, end: int, skeleton: Skeleton, lines: range) -> str:
    """Return the physical lines of the logical lines that are touched, comments included."""
    if lines:
        start, end = min(start, skeleton.starts[lines.start]), max(end, skeleton.ends[lines.stop - 1])
    start = max(text.rfind("\n", 0, start), text.rfind("\r", max(0, start - 10_000), start)) + 1
    found = _LINE_END.search(text, end)
    return text[start : found.start() if found else len(text)]


def _keeps_suites(versions: Versions, was: range, now: range) -> bool:
    """Tell whether the lines behind the touched ones are in the suites that they were in."""
    old, new = versions.old, versions.new
    for text, skeleton, lines in ((versions.old_text, old, was), (versions.new_text, new, now)):
        if any(header_at(text, skeleton.starts[i]) or text[skeleton.starts[i]] == "@" for i in lines):
            return False
    if len(was) == len(now) and all(old.indents[i] == new.indents[i] for i in was):
        return True
    behind = now.stop
    if behind >= len(new.starts):
        return True
    limit = new.indents[behind] + (header_at(versions.new_text, new.starts[behind]) in _ARMS)
    indents = [old.indents[i] for i in was] + [new.indents[i] for i in now]
    return all(indent >= limit for indent in indents)
