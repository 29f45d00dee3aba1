"""The characters of text literals, each with its place in the source: escapes, prefixes and joined pieces included."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from npu_lsp.languages.python.quiet import quietly

_OPENING = re.compile(r"(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"\"\"|'''|\"|')")
_ESCAPE = re.compile(
    r"\\(?:\r\n|\n|\r|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\r\n]*\}|[\s\S])"
)
_BETWEEN = re.compile(r"(?:[\s\\()]|#[^\r\n]*(?![^\r\n]))*")


@dataclass(slots=True)
class Characters:
    """A text, and where each of its characters starts and ends in the source."""

    text: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def put(self, text: str, start: int, end: int) -> None:
        """Add `text`, all of which stands for `[start, end)`."""
        for char in text:
            self.text.append(char)
            self.starts.append(start)
            self.ends.append(end)

    def add(self, other: Characters) -> None:
        """Add another text behind this one."""
        self.text += other.text
        self.starts += other.starts
        self.ends += other.ends

    def moved(self, by: int) -> Characters:
        """Return the same text `by` code points further on."""
        return Characters(list(self.text), [s + by for s in self.starts], [e + by for e in self.ends])


Fill = Callable[[str], "str | Characters"]
"""Tells what an f-string's field says, from its source; a text that stands elsewhere comes with its places."""


def characters(source: str, start: int, end: int, fill: Fill) -> Characters | None:
    """Return the characters of the literals in `source[start:end]`, or `None` where something else stands there."""
    found = Characters()
    at = start
    while True:
        opening = _OPENING.match(source, at, end)
        if opening is None:
            return None
        after = _literal(source, opening, end, found, fill)
        if after is None:
            return None
        between = _BETWEEN.match(source, after, end)
        at = between.end() if between else after
        if at >= end:
            return found


def _literal(source: str, opening: re.Match[str], end: int, found: Characters, fill: Fill) -> int | None:
    """Add the characters of one literal; return where it ends."""
    prefix, quote = opening["prefix"].lower(), opening["quote"]
    raw, formatted = "r" in prefix, "f" in prefix
    at = opening.end()
    while at < end:
        char = source[at]
        if source.startswith(quote, at):
            return at + len(quote)
        if char == "\\":
            escape = _ESCAPE.match(source, at, end)
            if escape is None:
                return None
            _escaped(escape.group(), at, raw, found)
            at = escape.end()
        elif formatted and char in "{}":
            if source.startswith(char * 2, at):
                found.put(char, at, at + 2)
                at += 2
                continue
            stop = _field_end(source, at, end)
            if stop is None:
                return None
            filled = fill(source[at + 1 : stop - 1])
            if isinstance(filled, str):
                found.put(filled, at, stop)
            else:
                found.add(filled)
            at = stop
        else:
            found.put("\n" if char == "\r" else char, at, at + 1)
            at += 2 if source.startswith("\r\n", at) else 1
    return None


def _escaped(escape: str, at: int, raw: bool, found: Characters) -> None:
    if raw:
        for index, char in enumerate(escape):
            found.put(char, at + index, at + index + 1)
        return
    if escape[1] in "\r\n":
        return
    try:
        with quietly():
            text = ast.literal_eval(f'"{escape}"') if escape != '\\"' else '"'
    except (SyntaxError, ValueError):
        text = escape
    found.put(str(text), at, at + len(escape))


def _field_end(source: str, start: int, end: int) -> int | None:
    """Return where the field ends that starts with the bracket at `start`."""
    depth = 0
    at = start
    while at < end:
        char = source[at]
        if char in "{[(":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        elif char in "\"'":
            close = source.find(char, at + 1, end)
            if close < 0:
                return None
            at = close
        at += 1
    return None
