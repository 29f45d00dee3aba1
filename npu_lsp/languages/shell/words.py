"""A simple command as it is split: its words, what these are made of, and what stands beside them.

All offsets are code points in the text that was split.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from npu_lsp.text.spans import Span


class PieceKind(IntEnum):
    """What a piece of a word stands for."""

    TEXT = 0
    """Itself: `text` stands at `start`, character by character."""
    NAME = 1
    """The value of the variable `text`."""
    ARRAY = 2
    """All elements of the array `text`."""
    MANY = 3
    """Any number of words; for `$@`, which `set --` may have given, with `@` for its text."""
    HOLE = 4
    """Something that only running the script can tell."""


class Piece(NamedTuple):
    """A stretch of a word; the quotes around it are not part of it."""

    kind: PieceKind
    text: str
    start: int
    end: int
    quoted: bool = False


class ShellWord(NamedTuple):
    """A word as the shell splits them, before it expands anything."""

    start: int
    end: int
    pieces: tuple[Piece, ...]

    @property
    def span(self) -> Span:
        """Where the word stands, quotes included."""
        return Span(self.start, self.end)

    @property
    def text(self) -> str | None:
        """What the word says, or `None` where it holds more than literal text."""
        pieces = self.pieces
        if len(pieces) == 1:
            return pieces[0].text if pieces[0].kind is PieceKind.TEXT else None
        if any(piece.kind is not PieceKind.TEXT for piece in pieces):
            return None
        return "".join(piece.text for piece in pieces)

    @property
    def lead(self) -> str:
        """The literal text that the word starts with."""
        pieces = self.pieces
        if len(pieces) == 1:
            return pieces[0].text if pieces[0].kind is PieceKind.TEXT else ""
        found = ""
        for piece in pieces:
            if piece.kind is not PieceKind.TEXT:
                break
            found += piece.text
        return found

    @property
    def bare(self) -> bool:
        """True: no quotes, escapes or expansions; what the script says is what stands there."""
        pieces = self.pieces
        return len(pieces) == 1 and pieces[0].kind is PieceKind.TEXT and pieces[0][2:4] == self[:2]

    def after(self, count: int) -> ShellWord:
        """Return the word without its first `count` literal characters; `lead` must be that long."""
        rest = list(self.pieces)
        start = self.start
        while rest and count >= len(rest[0].text):
            gone = rest.pop(0)
            count -= len(gone.text)
            # A closing quote goes with what it closes: `"--x="$y`
            closed = gone.quoted and rest and not (rest[0].quoted and rest[0].start == gone.end)
            if closed:
                start = rest[0].start - (rest[0].kind is not PieceKind.HOLE) if rest[0].quoted else gone.end + 1
            else:
                start = gone.end
            if not count:
                break
        if count and rest:
            first = rest[0]
            rest[0] = first._replace(text=first.text[count:], start=first.start + count)
            start = first.start + count
        if any(piece.start < self.start or piece.end > self.end for piece in rest):
            return self._standing_elsewhere(rest)
        quoted_whole = bool(rest) and rest[0].quoted and rest[0].start == start
        end = rest[-1].end if quoted_whole and rest[-1].quoted else self.end
        return ShellWord(start, max(start, end if rest else start), tuple(rest))

    def _standing_elsewhere(self, pieces: Sequence[Piece]) -> ShellWord:
        """Return what a name in another language's `"--flag=" + NAME` adds: what lies between them is no part of the word."""
        stands = content_of(pieces)
        if stands is not None:
            return ShellWord(stands.start, stands.end, tuple(pieces))
        return ShellWord(self.end, self.end, (Piece(PieceKind.HOLE, "", self.end, self.end, quoted=True),))


class Heredoc(NamedTuple):
    """A `<<TAG` of a command; its body starts on the next line."""

    tag: str
    indented: bool
    quoted: bool
    start: int = -1
    """Where `<<` stands."""


class Redirect(NamedTuple):
    """`> file`, `<<< text`."""

    operator: str
    target: ShellWord
    start: int
    """Where the operator stands, with the number in front of it."""


class Array(NamedTuple):
    """The words of `name=(...)`."""

    name: Span
    appended: bool
    words: tuple[ShellWord, ...]
    end: int


class Simple:
    """One simple command as it was split."""

    __slots__ = (
        *(
            "arrays",
            "blanks",
            "comment",
            "end",
            "heredocs",
            "inner",
            "operator",
            "redirects",
            "stop",
            "unclosed",
            "words",
        ),
    )

    def __init__(self, words: list[ShellWord], end: int, stop: int = 0) -> None:
        self.words = words
        self.arrays: list[Array] = []
        self.inner: list[Span] = []
        """Command substitutions and the like: what runs inside the words."""
        self.heredocs: list[Heredoc] = []
        self.redirects: list[Redirect] = []
        self.unclosed: list[tuple[int, int]] = []
        """Quotes that are never closed, or too late: the quote, and where it seems to end."""
        self.blanks = -1
        """Where the backslash stands that blanks follow to the end of the line."""
        self.comment = -1
        """Where a comment starts that ends the command."""
        self.end = end
        """Where the last word or redirection ends."""
        self.stop = stop
        """Where the operator or line end stands that ends the command."""
        self.operator = ""
        """What ends it: an operator, a line end as it stands, or nothing at the end of the text."""


def content_of(pieces: Iterable[Piece]) -> Span | None:
    """Return where the text of `pieces` stands one to one, or `None` where quotes or escapes lie between them."""
    start = end = -1
    for piece in pieces:
        if piece.kind is not PieceKind.TEXT or (start >= 0 and piece.start != end):
            return None
        if start < 0:
            start = piece.start
        end = piece.end
    return Span(start, end) if start >= 0 else None


def fields(pieces: Iterable[Piece]) -> Iterator[ShellWord]:
    """Split the value of an unquoted variable at blanks, as the shell does: quotes in it mean nothing any more."""
    current: list[Piece] = []
    for piece in pieces:
        if piece.kind is not PieceKind.TEXT:
            current.append(piece)
            continue
        at = 0
        text = piece.text
        for index, char in enumerate(text):
            if char in " \t\r\n":
                if index > at:
                    current.append(_cut(piece, at, index))
                at = index + 1
                if current:
                    yield _word(current)
                    current = []
        if at < len(text):
            current.append(_cut(piece, at, len(text)))
    if current:
        yield _word(current)


def _cut(piece: Piece, start: int, end: int) -> Piece:
    return Piece(PieceKind.TEXT, piece.text[start:end], piece.start + start, piece.start + end, quoted=True)


def _word(pieces: list[Piece]) -> ShellWord:
    return ShellWord(pieces[0].start, pieces[-1].end, tuple(pieces))
