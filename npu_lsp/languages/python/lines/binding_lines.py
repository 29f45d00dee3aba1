"""Which logical lines may bind a name: told from their text alone, so that few have to be parsed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from npu_lsp.languages.python.lines.logical_lines import LogicalLines, Rescanned
from npu_lsp.languages.python.lines.occurrences import OccurrenceIndex

_KEYWORD = re.compile(r"(?:for|def|class|global|nonlocal|del|import|from|with|except|async|case)\b")
_AFTER = re.compile(r"\s*(?:=(?!=)|(?:[-+*/%&|^@]|//|\*\*|<<|>>)=|:=|:[^:=\r\n]+=(?!=)|[,)\]])")


class BindingLines:
    """Answers for one text; what was asked of the version before is carried over a change."""

    def __init__(self, text: str, lines: LogicalLines, occurrences: OccurrenceIndex) -> None:
        self._text = text
        self._lines = lines
        self._occurrences = occurrences
        self._known: dict[str, list[int]] = {}
        self._before: tuple[dict[str, list[int]], Rescanned] | None = None

    def edited(self, text: str, change: Rescanned, occurrences: OccurrenceIndex) -> BindingLines:
        """Return what there is to say of a changed text."""
        new = BindingLines(text, change.lines, occurrences)
        new._before = self._known, change
        return new

    def of(self, name: str) -> list[int]:
        """Return the indexes of the lines that may bind `name`, in the order of the text. Don't change the list."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._found(name)
        return known

    def _found(self, name: str) -> list[int]:
        every = self._occurrences.name(name)
        old, change = self._before if self._before is not None else ({}, None)
        if change is None or name not in old:
            return self._among(name, every)
        starts = self._lines.starts
        start = starts[change.first] if change.first < len(starts) else len(self._text)
        end = starts[change.behind] if change.behind < len(starts) else len(self._text)
        near = every[bisect_left(every, start) : bisect_right(every, end)]
        return change.carried(old[name], (at for at in self._among(name, near) if change.first <= at < change.behind))

    def _among(self, name: str, offsets: Iterable[int]) -> list[int]:
        found: list[int] = []
        for offset in offsets:
            index = self._lines.at(offset)
            if index is not None and not (found and found[-1] == index) and self._may_bind(name, offset, index):
                found.append(index)
        return found

    def _may_bind(self, name: str, offset: int, index: int) -> bool:
        text, start = self._text, self._lines.starts[index]
        if offset != start and _KEYWORD.match(text, start):
            return True
        if _AFTER.match(text, offset + len(name)) is None:
            return False
        if offset == start or text[start] in "([":
            return True
        # Between brackets a name with `=` is an argument.
        before = text[start:offset]
        return before.count("(") == before.count(")") or text.startswith(":=", offset + len(name) + 1)
