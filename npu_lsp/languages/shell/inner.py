"""A script inside a word or a here-document: what the inner shell gets to see, and where its characters stand."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from npu_lsp.languages.places import Places
from npu_lsp.languages.shell.expansions import HOLE, dollar
from npu_lsp.languages.shell.known import Known, Scope
from npu_lsp.languages.shell.words import Part, Word
from npu_lsp.text.spans import Span

_USED = re.compile(r"\$\{?(?P<name>[A-Za-z_]\w*)")
_READ = re.compile(r"\b(?:read|for|local|declare|mapfile)\b[^\n;]*")
_FILLED = re.compile(r"\\[$`\\]|[$`]")

Fill = Callable[[str], str | None]
"""Returns the text that the outer script puts in the place of a variable, `None` where nobody knows."""


def inner_text(text: str, word: Word) -> tuple[str, Places]:
    """Return what `word` says as a script of its own, and where its characters stand.

    Variables keep their `$name`, as they are typed.
    """
    pieces = word.pieces
    if all(one.end == other.start for one, other in itertools.pairwise(pieces)):
        # One to one: a quoted text without escapes.
        start = pieces[0].start if pieces else word.start
        return text[start : pieces[-1].end if pieces else start], Places(start)
    made = _Made()
    for piece in pieces:
        made.take(text, word.start, piece.start, piece.end, piece.text if piece.part is Part.TEXT else None)
    return made.done()


def filled_word(text: str, word: Word, fill: Fill) -> tuple[str, Places]:
    """Return the script in `word` as the inner shell gets it: this one fills its own variables in before."""
    if all(piece.part is Part.TEXT for piece in word.pieces):
        return inner_text(text, word)
    made = _Made()
    for piece in word.pieces:
        if piece.part is Part.NAME:
            made.put(fill(piece.text), piece.start, piece.end)
        elif piece.part is Part.HOLE:
            made.put(None, piece.start, piece.end)
        else:
            made.take(text, word.start, piece.start, piece.end, piece.text if piece.part is Part.TEXT else None)
    return made.done()


def filled_document(text: str, span: Span, fill: Fill) -> tuple[str, Places]:
    """Return the script in a here-document whose mark isn't quoted, as the inner shell gets it."""
    made = _Made()
    at = span.start
    while at < span.end:
        match = _FILLED.search(text, at, span.end)
        stop = match.start() if match else span.end
        made.take(text, at, at, stop)
        if match is None:
            break
        at = match.end()
        if len(match.group()) == 2:
            made.put(match.group()[1], stop, at)
            continue
        part, name, at, _ = dollar(text, stop, span.end)
        if part is Part.NAME:
            made.put(fill(name), stop, at)
        elif part is Part.HOLE:
            made.put(None, stop, at)
        else:
            made.take(text, stop, stop, at)
    return made.done()


def filling(scope: Scope) -> Fill:
    """Return what fills the variables of a script in."""

    def fill(name: str) -> str | None:
        known = scope.text_of(name)
        return known if known is not None or scope.program is None else scope.program(name)

    return fill


def evaluated_scope(inner: str, scope: Scope) -> Scope:
    """Return what is known inside a text that `eval` runs: all that the script knows, but for what the text sets."""
    names = frozenset(match["name"] for match in _USED.finditer(inner))
    bound = " ".join(match.group() for match in _READ.finditer(inner))
    free = frozenset(n for n in names if not re.search(rf"(?<!\w){n}\+?=", inner) and not re.search(rf"\b{n}\b", bound))

    def lookup(name: str) -> Known | None:
        known = scope.text_of(name) if name in free else None
        # Its place is in the outer text.
        return Known(known, None) if known is not None else None

    return Scope(lookup=lookup, program=scope.program, is_variable=scope.is_variable)


class _Made:
    """An inner text as it grows, with the place of each character."""

    __slots__ = ("chars", "ends", "starts")

    def __init__(self) -> None:
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def take(self, text: str, first: int, start: int, end: int, said: str | None = None) -> None:
        """Add what stands at `[start, end)`; `said` where it is known already. The word starts at `first`."""
        if end <= start:
            return
        self.chars.append(text[start:end] if said is None else said)
        # A character with a backslash in front takes both.
        escaped = start - 1 >= first and text[start - 1] == "\\"
        self.starts.extend((start - 1 if escaped else start, *range(start + 1, end)))
        self.ends.extend(range(start + 1, end + 1))

    def put(self, text: str | None, start: int, end: int) -> None:
        """Add what comes in the place of `[start, end)`; `None`: nobody knows what."""
        said = HOLE if text is None else text
        self.chars.append(said)
        self.starts.extend([start] * len(said))
        self.ends.extend([end] * len(said))

    def done(self) -> tuple[str, Places]:
        return "".join(self.chars), Places(0, self.starts, self.ends)
