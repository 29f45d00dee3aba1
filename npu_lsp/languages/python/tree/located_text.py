"""The characters of text literals, each with its place in the source: escapes, prefixes and joined pieces included."""

from __future__ import annotations

from collections.abc import Callable

from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.tree.constants import ESCAPE, pieces_of, unescaped
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.text import lazy_re as re
from npu_lsp.text.source_map import LocatedText
from npu_lsp.text.spans import Span

_OPENING = re.compile(r"(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"\"\"|'''|\"|')")
_SPECIAL = re.compile(r"[\\\r]")
_IN_RAW = re.compile(r"\r")
_DOUBLED = re.compile(r"\{\{|\}\}")


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
    special, at = _IN_RAW if raw else _SPECIAL, start
    while at < end:
        match = special.search(source, at, end)
        stop = match.start() if match is not None else end
        found.take(source, Span(at, stop))
        if match is None:
            return
        escape = ESCAPE.match(source, stop, end) if match.group() == "\\" else None
        if escape is not None:
            said, at = unescaped(escape.group()), escape.end()
            found.put(escape.group() if said is None else said, stop, at)
        else:
            found.put("\\" if match.group() == "\\" else "\n", stop, stop + 1)
            at = stop + (2 if source.startswith("\r\n", stop) else 1)
