"""A script inside a word: what `bash -c "..."` gets to see, and where its characters stand."""

from __future__ import annotations

import itertools

from npu_lsp.readers.places import Places
from npu_lsp.readers.shell.words import Part, Word


def inner_text(text: str, word: Word) -> tuple[str, Places]:
    """Return what `word` says as a script of its own, and where its characters stand.

    Variables keep their `$name`, as if the inner shell expanded them: it sees their values, which nobody knows.
    """
    pieces = word.pieces
    if all(one.end == other.start for one, other in itertools.pairwise(pieces)):
        # One to one: a quoted text without escapes.
        start = pieces[0].start if pieces else word.start
        return text[start : pieces[-1].end if pieces else start], Places(start)
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece in pieces:
        chars.append(piece.text if piece.part is Part.TEXT else text[piece.start : piece.end])
        ends.extend(range(piece.start + 1, piece.end + 1))
        # A character with a backslash in front takes both.
        escaped = piece.start - 1 >= word.start and text[piece.start - 1] == "\\" and piece.end > piece.start
        first = piece.start - 1 if escaped else piece.start
        starts.extend((first, *range(piece.start + 1, piece.end)) if piece.end > piece.start else ())
    return "".join(chars), Places(0, starts, ends)
