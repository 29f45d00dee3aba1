"""The characters of text literals, each with its place in the source: escapes, prefixes and joined pieces included."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import libcst as cst

from npu_lsp.languages.python.tree.constants import ESCAPE, pieces_of, unescaped
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.text.spans import Span

_OPENING = re.compile(r"(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"\"\"|'''|\"|')")
_DOUBLED = re.compile(r"\{\{|\}\}")


@dataclass(slots=True)
class LocatedText:
    """A text, and where each of its characters starts and ends in the source."""

    text: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, span: Span) -> LocatedText:
        """Return `text`, all of which stands for `span`."""
        found = cls()
        found.put(text, *span)
        return found

    def put(self, text: str, start: int, end: int) -> None:
        """Add `text`, all of which stands for `[start, end)`."""
        for char in text:
            self.text.append(char)
            self.starts.append(start)
            self.ends.append(end)

    def add(self, other: LocatedText) -> None:
        """Add another text behind this one."""
        self.text += other.text
        self.starts += other.starts
        self.ends += other.ends

    def moved(self, by: int) -> LocatedText:
        """Return the same text `by` code points further on."""
        return LocatedText(list(self.text), [s + by for s in self.starts], [e + by for e in self.ends])


Fill = Callable[[cst.FormattedStringExpression], "str | LocatedText"]
"""Tells what an f-string's field says; a text that stands elsewhere comes with its places."""


def located(node: cst.BaseExpression, statement: Statement, fill: Fill) -> LocatedText | None:
    """Return the characters of the literals that `node` is, or `None` where it is something else."""
    found = LocatedText()
    for piece in pieces_of(node):
        start, end = statement.span(piece)
        opening = _OPENING.match(statement.text, start, end)
        if opening is None:
            return None
        raw = "r" in opening["prefix"].lower()
        if isinstance(piece, cst.SimpleString):
            _put(statement.text, opening.end(), end - len(opening["quote"]), raw, found)
        elif isinstance(piece, cst.FormattedString):
            _formatted(piece, statement, raw, found, fill)
        else:
            return None
    return found


def _formatted(node: cst.FormattedString, statement: Statement, raw: bool, found: LocatedText, fill: Fill) -> None:
    for part in node.parts:
        start, end = statement.span(part)
        if isinstance(part, cst.FormattedStringExpression):
            filled = fill(part)
            if isinstance(filled, str):
                found.put(filled, start, end)
            else:
                found.add(filled)
            continue
        for doubled in _DOUBLED.finditer(statement.text, start, end):
            _put(statement.text, start, doubled.start(), raw, found)
            found.put(doubled.group()[0], *doubled.span())
            start = doubled.end()
        _put(statement.text, start, end, raw, found)


def _put(source: str, start: int, end: int, raw: bool, found: LocatedText) -> None:
    """Add the characters that `source[start:end]` stands for inside a literal."""
    at = start
    while at < end:
        char = source[at]
        if char == "\\" and not raw and (escape := ESCAPE.match(source, at, end)):
            said = unescaped(escape.group())
            found.put(escape.group() if said is None else said, at, escape.end())
            at = escape.end()
            continue
        after = at + (2 if source.startswith("\r\n", at) else 1)
        found.put("\n" if char == "\r" else char, at, at + 1)
        at = after
