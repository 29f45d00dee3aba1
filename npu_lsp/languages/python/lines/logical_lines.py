"""The logical lines of a Python text, found without parsing.

A logical line is one or more physical lines that the language reads as one: brackets, triple quotes and
backslashes join them. Blank lines and comments belong to none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from npu_lsp.languages.python.lines.scanner import Damage, Scanner, before_blanks, is_joined
from npu_lsp.text.spans import Span, TextChange


def carried(old: list[int], first: int, behind: int, moved: int, near: Iterable[int]) -> list[int]:
    """Return sorted numbers after a change: `near`, with those of `old` below `first` before and those from `behind` on after it.

    The latter are `moved` by so many.
    """
    after = old[bisect_left(old, behind) :]
    return [*old[: bisect_left(old, first)], *near, *([at + moved for at in after] if moved else after)]


class LogicalLines(NamedTuple):
    """The logical lines of a text, as columns of one table. Don't change the lists."""

    starts: list[int]
    """Where each one's code starts, after its indentation."""
    ends: list[int]
    """Where it ends, without blanks, comment and line end."""
    indents: list[int]
    """How far it is indented, in columns; tabs go to multiples of 8."""
    damage: list[Damage]
    """What had to be guessed, in the order of the text."""

    def at(self, offset: int) -> int | None:
        """Return the index of the logical line whose code touches `offset`."""
        index = bisect_right(self.starts, offset) - 1
        return index if index >= 0 and offset <= self.ends[index] else None

    def span(self, index: int) -> Span:
        """Return where the code of a logical line stands."""
        return Span(self.starts[index], self.ends[index])

    def before(self, offset: int) -> int:
        """Return the index of the last logical line that starts at or before `offset`, or -1."""
        return bisect_right(self.starts, offset) - 1


class Rescanned(NamedTuple):
    """The logical lines of a changed text, and which of them are new."""

    lines: LogicalLines
    first: int
    """The first line that was looked at: those before are as they were."""
    behind: int
    """The first line behind those; it and what follows are as they were from the old line `old_behind` on."""
    old_behind: int

    def carried(self, old: list[int], near: Iterable[int]) -> list[int]:
        """Return indexes of lines after the change: `old` are those before it, `near` those among the lines looked at."""
        return carried(old, self.first, self.old_behind, self.behind - self.old_behind, near)


def scan(text: str) -> LogicalLines:
    """Return the logical lines of `text`."""
    scanner = Scanner(text)
    scanner.run(1 if text.startswith("\ufeff") else 0)
    return LogicalLines(scanner.starts, scanner.ends, scanner.indents, scanner.damage)


def rescan(old: LogicalLines, text: str, change: TextChange) -> Rescanned:
    """Return the logical lines of `text`, which came from the old text by `change`; they are those of `scan(text)`."""
    first = max(bisect_right(old.starts, change.start) - 2, 0)
    for damage in old.damage:
        if damage.reach >= change.start:
            first = min(first, bisect_left(old.starts, damage.start))
            break
    # What a backslash joins to the line before is indented as that one: it is read from there.
    while first > 0 and is_joined(text, before_blanks(text, old.starts[first])):
        first -= 1
    scanner = Scanner(text, old.starts, change)
    beginning = 1 if text.startswith("\ufeff") else 0
    last = scanner.run(before_blanks(text, old.starts[first]) if first else beginning)
    delta = change.new_end - change.old_end
    start = old.starts[first] if first < len(old.starts) else len(text)
    kept = [d for d in old.damage if d.start < start and first > 0]
    if last is None:
        moved = []
        last = len(old.starts)
    else:
        moved = [Damage(d.start + delta, d.reach + delta) for d in old.damage if d.start >= old.starts[last]]
    lines = LogicalLines(
        old.starts[:first] + scanner.starts + [s + delta for s in old.starts[last:]],
        old.ends[:first] + scanner.ends + [e + delta for e in old.ends[last:]],
        old.indents[:first] + scanner.indents + old.indents[last:],
        kept + scanner.damage + moved,
    )
    return Rescanned(lines, first, first + len(scanner.starts), last)
