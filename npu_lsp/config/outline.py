"""Where the keys and values of a TOML file stand, also of one that is being typed and is no TOML yet.

The parser of the standard library tells what a file says and not where; tree-sitter-toml 0.7 takes a half-typed value for
the beginning of what stands below it. Offsets are code points from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span, line_start

Path = tuple[str | int, ...]
"""Names of tables and keys, and the places in lists from 0."""
Part = Literal["key", "value"]

_SPACE = re.compile(r"[ \t]*")
_GAP = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"[\r\n]")
_COMMENT = re.compile(r"#[^\r\n]*")
_LINE = re.compile(r"[^\r\n]*")
_STRING = re.compile(r'"""(?:.|\n)*?(?:"""|\Z)|\'\'\'(?:.|\n)*?(?:\'\'\'|\Z)|"(?:[^"\\\r\n]|\\.)*"?|\'[^\'\r\n]*\'?')
_BARE_KEY = re.compile(r"[^\s.=,#\[\]{}\"']+")
_BARE_VALUE = re.compile(r"[^\s=,#\[\]{}\"']+")
_NEXT_PAIR = re.compile(r"[A-Za-z0-9_.-]+[ \t]*=")
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class TomlPiece:
    """One name or one plain value."""

    part: Part
    path: Path
    span: Span
    """Without the quotes."""
    text: str
    """As it is written between the quotes."""
    quote: str = ""
    closed: bool = True
    """False for a string whose end is missing."""


@dataclass(frozen=True, slots=True)
class TomlSpot:
    """A place where a key or a value is typed."""

    part: Part
    path: Path
    replace: Span
    quote: str = ""
    """What stands in front already."""
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Holder:
    """A list or a table in braces."""

    holds: Part
    path: Path
    span: Span
    """Without the brackets."""


@dataclass(slots=True)
class Outline:
    """The keys, values, tables and comments of a TOML text with their places, also of one that is being typed."""

    text: str
    pieces: list[TomlPiece] = field(default_factory=list)
    holders: list[Holder] = field(default_factory=list)
    """An inner one comes before the one around it."""
    headers: list[tuple[Path, int]] = field(default_factory=list)
    """The tables that lines in brackets begin, and where."""
    comments: list[Span] = field(default_factory=list)

    def key(self, path: Path) -> TomlPiece | None:
        """Return the name at `path`."""
        return next((piece for piece in self.pieces if piece.part == "key" and piece.path == path), None)

    def values(self, path: Path) -> Iterator[TomlPiece]:
        """Yield the plain values at and below `path`."""
        return (p for p in self.pieces if p.part == "value" and p.path[: len(path)] == path)

    def at(self, offset: int) -> TomlPiece | None:
        """Return the key or value that covers `offset`, or ends there."""
        return next((piece for piece in self.pieces if piece.span.covers(offset)), None)

    def spot(self, offset: int) -> TomlSpot | None:
        """Return what can be typed at `offset`; `None` in a comment and where nothing can."""
        if any(span.start < offset <= span.end for span in self.comments):
            return None
        piece = self.at(offset)
        if piece is not None:
            span = piece.span if piece.closed else Span(piece.span.start, offset)
            if _LINE_END.search(self.text, *span):
                return None  # a completion stays on its line
            return TomlSpot(piece.part, piece.path, span, piece.quote, piece.closed)
        here = Span(offset, offset)
        holder = next((each for each in self.holders if each.span.covers(offset)), None)
        if holder is not None:
            return TomlSpot(holder.holds, (*holder.path, 0 if holder.holds == "value" else ""), here)
        start = line_start(self.text, offset)
        line = _LINE.match(self.text, start)
        if line is None or line[0].strip():
            return None
        table = next((path for path, begin in reversed(self.headers) if begin <= offset), ())
        return TomlSpot("key", (*table, ""), here)


def outline(text: str) -> Outline:
    """Return where things stand in `text`; what is no TOML is passed over to the end of its line."""
    scanner = _Scanner(text)
    scanner.file()
    return scanner.made


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = int(text.startswith("\ufeff"))
        self.made = Outline(text)

    def file(self) -> None:
        table: Path = ()
        while True:
            self._gap()
            if self.pos >= len(self.text):
                return
            if self._sees("["):
                start, double = self.pos, self.text.startswith("[[", self.pos)
                self.pos += 2 if double else 1
                table = (*self._key(()), *((0,) if double else ()))
                self.made.headers.append((table, start))
            else:
                self._pair(table, 0)
            self._rest_of_line()

    def _pair(self, table: Path, depth: int) -> None:
        path = self._key(table)
        self._skip(_SPACE)
        if path != table and self._sees("="):
            self.pos += 1
            self._skip(_SPACE)
            self._value(path, depth)

    def _key(self, path: Path) -> Path:
        """Read a dotted name below `path`; a dot at its end counts as a name that is still to come."""
        while True:
            self._skip(_SPACE)
            piece = self._string("key", path) or self._bare("key", path, _BARE_KEY)
            if piece is not None:
                self.made.pieces.append(piece)
                path = piece.path
            self._skip(_SPACE)
            if not self._sees(".") or len(path) > _DEEPEST:
                return path
            self.pos += 1
            if not _BARE_KEY.match(self.text, self.pos) and not _STRING.match(self.text, self.pos):
                self.made.pieces.append(TomlPiece("key", (*path, ""), Span(self.pos, self.pos), ""))

    def _value(self, path: Path, depth: int) -> None:
        if self._sees("[") and depth < _DEEPEST:
            self._list(path, depth + 1)
        elif self._sees("{") and depth < _DEEPEST:
            self._table(path, depth + 1)
        else:
            piece = self._string("value", path) or self._bare("value", path, _BARE_VALUE)
            self.made.pieces.append(piece or TomlPiece("value", path, Span(self.pos, self.pos), ""))

    def _list(self, path: Path, depth: int) -> None:
        self.pos += 1
        start, number = self.pos, 0
        while True:
            before = self.pos
            new_line = self._gap()
            if self.pos >= len(self.text) or self._sees("]"):
                break
            if new_line and _NEXT_PAIR.match(self.text, self.pos):
                self.pos = before  # the bracket at the end is still to come
                break
            before = self.pos
            if self._sees(","):
                self.pos, number = self.pos + 1, number + 1
            else:
                self._value((*path, number), depth)
            if self.pos == before:
                self.pos += 1
        self.made.holders.append(Holder("value", path, Span(start, self.pos)))
        if self._sees("]"):
            self.pos += 1

    def _table(self, path: Path, depth: int) -> None:
        self.pos += 1
        start = self.pos
        while self.pos < len(self.text) and self.text[self.pos] not in "}\r\n#":
            before = self.pos
            if self._sees(","):
                self.pos += 1
            else:
                self._pair(path, depth)
            self._skip(_SPACE)
            if self.pos == before:
                self.pos += 1
        self.made.holders.append(Holder("key", path, Span(start, self.pos)))
        if self._sees("}"):
            self.pos += 1

    def _string(self, part: Part, path: Path) -> TomlPiece | None:
        found = _STRING.match(self.text, self.pos)
        if found is None:
            return None
        whole = found[0]
        quote = whole[:3] if whole[:3] in ('"""', "'''") else whole[0]
        closed = len(whole) >= 2 * len(quote) and whole.endswith(quote)
        inner = Span(found.start() + len(quote), found.end() - (len(quote) if closed else 0))
        self.pos = found.end()
        text = self.text[inner.start : inner.end]
        return TomlPiece(part, (*path, text) if part == "key" else path, inner, text, quote, closed)

    def _bare(self, part: Part, path: Path, form: re.Pattern[str]) -> TomlPiece | None:
        found = form.match(self.text, self.pos)
        if found is None:
            return None
        self.pos = found.end()
        return TomlPiece(part, (*path, found[0]) if part == "key" else path, Span(*found.span()), found[0])

    def _sees(self, sign: str) -> bool:
        return self.text.startswith(sign, self.pos)

    def _skip(self, form: re.Pattern[str]) -> None:
        found = form.match(self.text, self.pos)
        self.pos = found.end() if found else self.pos

    def _gap(self) -> bool:
        """Pass over blanks, comments and ends of lines; tell whether a line began."""
        start = self.pos
        while True:
            self._skip(_GAP)
            if not self._comment():
                between = self.text[start : self.pos]
                return "\n" in between or "\r" in between

    def _comment(self) -> bool:
        found = _COMMENT.match(self.text, self.pos)
        if found is None:
            return False
        self.made.comments.append(Span(*found.span()))
        self.pos = found.end()
        return True

    def _rest_of_line(self) -> None:
        line = _LINE.match(self.text, self.pos)
        end = line.end() if line else len(self.text)
        start = self.text.find("#", self.pos, end)
        if start >= 0:
            self.made.comments.append(Span(start, end))
        self.pos = end
