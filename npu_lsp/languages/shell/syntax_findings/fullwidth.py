"""Characters that an input method or a word processor puts in the place of ASCII ones."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\uff70"
_BLANKS = "\u3000\u00a0\u2002\u2003"
QUOTES = "\u201c\u201d\u2018\u2019\uff02\uff07"
_ASCII: Mapping[str, str] = {
    "\u201c": '"',
    "\u201d": '"',
    "\uff02": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\uff07": "'",
    "\uff1a": ":",
    "\uff0c": ",",
    "\uff1b": ";",
    "\uff1d": "=",
    "\uff5b": "{",
    "\uff5d": "}",
    **dict.fromkeys(_BLANKS, " "),
}
_LEADING = re.compile(rf"-*[{_DASHES}][-{_DASHES}]*(?=[A-Za-z])")
_OTHERS = re.compile(rf"[{''.join(_ASCII)}]")
_SHAPE = frozenset("\uff1a\uff0c\uff1b\uff1d\uff5b\uff5d")
_QUOTED_BLANK = re.compile(r"\"[^\"]*\"|'[^']*'")
_ANY_QUOTE = re.compile(rf"[\"'{QUOTES}]")
_MOST = 200
"""Such characters in a word that are looked at, and words of a command that have some: with more, one fix mends too little."""


def look_alikes(text: str, words: Sequence[ShellWord], *, flags: bool) -> Iterator[SyntaxFinding]:
    """Yield the words that hold such characters where only ASCII can be meant.

    `flags`: the words are a tool's; then `：，；＝｛｝` count, too, since shapes and lists are full of their originals.
    """
    looked = (_look(text[word.start : word.end], word.start, flags) for word in words)
    found = list(islice((each for each in looked if each is not None), _MOST))
    every = "".join((*(text[w.start : w.end] for w in words), *(edit.text for each in found for edit in each.edits)))
    odd = [quote for quote in "\"'" if every.count(quote) % 2]
    for each in found:
        # A quote without a partner is one too many or one too few: in ASCII it would swallow what follows.
        yield each._replace(edits=()) if any(edit.text in odd for edit in each.edits) else each


def _look(written: str, start: int, flags: bool) -> SyntaxFinding | None:
    if written.isascii():
        return None
    edits: list[Edit] = []
    dashes = _LEADING.match(written) if flags else None
    if dashes:
        edits.append(Edit(Span(start, start + dashes.end()), "--"))
    quoted = [match.span() for match in _QUOTED_BLANK.finditer(written)]
    others = list(islice(_OTHERS.finditer(written), _MOST + 1))
    for match in others[:_MOST]:
        char = match.group()
        at = match.start()
        inside = _is_inside(quoted, at)
        if char in _SHAPE:
            if not flags or not (_is_ascii(written, at - 1) and _is_ascii(written, at + 1)):
                continue
        elif inside:
            continue
        edits.append(Edit(Span(start + at, start + at + 1), _ASCII[char]))
    if not edits:
        return None
    span = Span(edits[0].span.start, edits[-1].span.end)
    found = "".join(dict.fromkeys(written[e.span.start - start : e.span.end - start] for e in edits))
    instead = "".join(dict.fromkeys(edit.text for edit in edits))
    # An unquoted `;` would end the command.
    certain = len(others) <= _MOST and ("\uff1b" not in found or _ANY_QUOTE.search(written) is not None)
    return SyntaxFinding(
        SyntaxFault.FULLWIDTH, span, {"found": found, "instead": instead}, tuple(edits) if certain else ()
    )


def _is_inside(quoted: Sequence[tuple[int, int]], at: int) -> bool:
    """Return whether `at` is between quotes: those that open in front of it last close behind it."""
    before = bisect(quoted, (at, 0))
    return before > 0 and at < quoted[before - 1][1]


def _is_ascii(written: str, at: int) -> bool:
    """Return whether a neighbour is an ASCII character, a look-alike or nothing."""
    if not 0 <= at < len(written):
        return True
    return written[at].isascii() or written[at] in _ASCII
