"""Tells whether an edit leaves each logical line in the surroundings that it had: what was found out about them stays."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from npu_lsp.languages.python.lines.logical_lines import LogicalLines
from npu_lsp.languages.python.lines.scopes import header_at
from npu_lsp.text.spans import Change


class Version(NamedTuple):
    """A text and its logical lines."""

    text: str
    logical_lines: LogicalLines

    def behind(self, offset: int) -> int:
        """Return the first line that has nothing to do with `offset`, not even by its indentation."""
        starts = self.logical_lines.starts
        line = bisect_right(starts, offset)
        if line < len(starts) and not self.text[offset : starts[line]].strip(" \t\f"):
            line += 1
        return line

    def header(self, line: int) -> str:
        """Return the word of the header that a line is."""
        return header_at(self.text, self.logical_lines.starts[line])


def keeps_structure(old: Version, new: Version, change: Change) -> bool:
    """Tell whether each line has the surroundings that the line of the same number had."""
    before, after = old.logical_lines, new.logical_lines
    if before.indents != after.indents or any(d.reach >= change.start for d in (*before.damage, *after.damage)):
        return False
    first, last = bisect_left(before.ends, change.start), old.behind(change.old_end)
    if first != bisect_left(after.ends, change.start) or last != new.behind(change.new_end):
        return False
    return all(old.header(line) == new.header(line) for line in range(first, last))
