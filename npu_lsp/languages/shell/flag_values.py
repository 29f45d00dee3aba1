"""What the words of a command line give: settings with their values, and where these stand. Each way to read flags makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npu_lsp.languages.model import Fact, Setting, Value, ValueKind
from npu_lsp.languages.shell.known import Lookup
from npu_lsp.languages.shell.words import Piece, PieceKind, ShellWord, content_of
from npu_lsp.text.spans import Span


class Flags(NamedTuple):
    """What a tool's arguments set."""

    settings: tuple[Setting, ...]
    open: bool
    """True: some of them can't be seen."""
    stray: tuple[ShellWord, ...]
    """Words that belong to no flag."""
    facts: tuple[Fact, ...] = ()


def key_span(word: ShellWord, length: int) -> Span:
    """Return where the first `length` characters of `word` stand, without those that it takes from elsewhere."""
    start = end = word.pieces[0].start
    for piece in word.pieces:
        if piece.start < end or piece.end > word.end:
            # A name in another language's `"--flag" + NAME`.
            return Span(start, end)
        if length <= len(piece.text):
            return Span(start, piece.start + length)
        length -= len(piece.text)
        end = piece.end
    return Span(start, word.end)


def value_of(pieces: Sequence[Piece], span: Span, lookup: Lookup | None, *, tilde: bool = False) -> Value:
    """Return the value that a word, or the rest of one, gives.

    `tilde`: the shell replaces `~` at its start, as it does in words of their own and in assignments, but not behind
    the `=` of a flag.
    """
    if not pieces:
        # Nothing behind `=`: the tool gets an empty text.
        return Value(ValueKind.WORD, span, known=True, data="", content=Span(span.start, span.start))
    if tilde and not pieces[0].quoted and pieces[0].text.startswith("~"):
        return Value(ValueKind.WORD, span)
    texts: list[str] = []
    origin: Span | None = None
    for piece in pieces:
        if piece.kind is PieceKind.TEXT:
            texts.append(piece.text)
            continue
        known = lookup(piece.text) if lookup is not None and piece.kind is PieceKind.NAME else None
        if known is None:
            return Value(ValueKind.WORD, span)
        texts.append(known.text)
        if len(pieces) == 1:
            origin = known.origin
    return Value(ValueKind.WORD, span, known=True, data="".join(texts), content=content_of(pieces), origin=origin)
