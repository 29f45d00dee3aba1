"""How far a comment that silences findings reaches: a line, the next statement, a code block, a recipe, the whole file.

Each answer takes no longer where a file has thousands of comments, of statements, or of lines that hang together.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate

from npu_lsp.languages.model import Comment, Reading
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_COMMENT_SIGNS = ("#", ";", "//", "<!--")
_RULE = re.compile(r"[^\s#:=][^#:=]*::?(?!=)")
"""The line of a makefile that a recipe follows."""
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


class Reaches:
    """Tells for the comments of one file where the findings start that they silence. Offsets are code points from 0."""

    def __init__(self, document: Document, reading: Reading) -> None:
        self._document = document
        statements = sorted(set(reading.statements()))
        self._starts = [statement.start for statement in statements]
        self._ends = [statement.end for statement in statements]
        self._furthest = list(accumulate(self._ends, max))
        """Where the statements up to here end that goes on longest."""
        self._code_below: dict[int, int] = {}
        self._joined: dict[int, int] = {}
        self._behind_recipe: dict[int, int] = {}
        self._ends_of: dict[tuple[int, int], int] = {}

    def of(self, comment: Comment, word: str) -> Span:
        """Return what `comment` reaches, which says `word`: `ignore`, `ignore-file`, `off` or `on`."""
        document = self._document
        end_of_text = len(document.text)
        if word == "ignore-file":
            return Span(0, end_of_text)
        if word in ("off", "on"):
            return Span(comment.span.end, end_of_text)
        line = document.line_of(comment.span.start)
        if comment.own_line:
            line = self._next_code_line(line)
        start, end = document.line_span(line)
        if comment.own_line:
            opening = _FENCE.match(document.text, start, end)
            if opening is not None:
                return Span(start, _end_of_block(document.text, opening))
        # The lines that a backslash joins count as one: in a shell no comment can follow one.
        last = self._last_joined(line)
        if document.kind is Kind.MAKEFILE and comment.own_line and _RULE.match(document.text, start, end):
            last = self._last_of_recipe(last)
        end = document.line_span(last)[1]
        if not comment.own_line:
            start, end = self._around(start, end)
        return Span(start, self._end_of_what_starts_in(start, end))

    def _around(self, start: int, end: int) -> tuple[int, int]:
        """Return the place with the statements that the line at `start` is in the middle of."""
        behind = bisect_right(self._starts, start)
        first = bisect_left(self._furthest, start, 0, behind)
        if first == behind:
            return start, end
        return min(start, self._starts[first]), max(end, self._furthest[behind - 1])

    def _end_of_what_starts_in(self, start: int, end: int) -> int:
        place = start, end
        known = self._ends_of.get(place)
        if known is not None:
            return known
        at = bisect_left(self._starts, start)
        while at < len(self._starts) and self._starts[at] <= end:
            end = max(end, self._ends[at])
            at += 1
        self._ends_of[place] = end
        return end

    def _next_code_line(self, line: int) -> int:
        """Return the first line below `line` that holds code; `line` itself where none does."""
        document = self._document

        def is_code(each: int) -> bool:
            text = document.line_text(each).strip()
            return bool(text) and not text.startswith(_COMMENT_SIGNS)

        found = _first(range(line + 1, document.line_count), is_code, self._code_below)
        return found if found < document.line_count else line

    def _last_joined(self, line: int) -> int:
        """Return the last one of the lines that backslashes join to `line`."""
        document = self._document
        lines = range(line, document.line_count - 1)
        return _first(lines, lambda each: not document.line_text(each).endswith("\\"), self._joined)

    def _last_of_recipe(self, line: int) -> int:
        """Return the last line that belongs to the recipe of the rule that ends at `line`."""
        document = self._document

        def is_behind(each: int) -> bool:
            text = document.line_text(each)
            joined = document.line_text(each - 1).endswith("\\")
            return not joined and text.strip() != "" and text[0] not in "\t#"

        return _first(range(line + 1, document.line_count), is_behind, self._behind_recipe) - 1


def _first(lines: range, wanted: Callable[[int], bool], known: dict[int, int]) -> int:
    """Return the first of `lines` that is `wanted`, or their end; `known` keeps the answer for those passed over."""
    passed: list[int] = []
    found = lines.stop
    for line in lines:
        if line in known or wanted(line):
            found = known.get(line, line)
            break
        passed.append(line)
    known.update(dict.fromkeys(passed, found))
    return found


def _end_of_block(text: str, opening: re.Match[str]) -> int:
    """Return where the code block ends that starts with the fence `opening`."""
    for fence in _FENCE.finditer(text, opening.end()):
        if fence[1].startswith(opening[1]):
            return fence.end()
    return len(text)
