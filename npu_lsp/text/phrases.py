"""Phrases with named places, found in the lines of large texts: `listen on ip[{ip}] and specific port[{port}] fail`.

A phrase is literal pieces in their order, with anything between them; `{|}` at its end wants a word to end there. All phrases are looked for at once: one pattern finds the
longest piece of each, and only where it stands the others are looked for. Both are linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

_PLACE = re.compile(r"\{(\w*|\|)\}")
END = "|"
"""The place at which a word ends."""
_LONGEST = 300
"""Characters of what stands in a place."""
_WORD = re.compile(rb"[^\s,;'\"`\])}]*")
"""What a place at the end of a phrase takes."""
_GRAM = 4
"""Bytes of a part of a phrase that tells lines which can't have it."""


class Phrase(NamedTuple):
    """One phrase: its pieces, and the names of the places before, between and behind them; an empty name keeps nothing."""

    pieces: tuple[bytes, ...]
    places: tuple[str, ...]
    first: str = ""

    @classmethod
    def of(cls, text: str) -> Phrase:
        """Return the phrase that `text` writes."""
        parts = _PLACE.split(text)
        pieces, names = [part.encode() for part in parts[::2]], parts[1::2]
        first = ""
        if not pieces[0]:
            first, pieces, names = names[0], pieces[1:], names[1:]
        if not pieces[-1]:
            pieces = pieces[:-1]
        return cls(tuple(pieces), tuple(names), first)

    @property
    def anchor(self) -> bytes:
        """The longest piece."""
        return max(self.pieces, key=len)

    def within(self, line: bytes) -> dict[str, bytes] | None:
        """Return what stands in the places where `line` has the phrase, or `None`."""
        starts: list[int] = []
        at = 0
        for piece in self.pieces:
            start = line.find(piece, at)
            if start < 0:
                return None
            starts.append(start)
            at = start + len(piece)
        # What stands in a place is as short as it can be: of several beginnings the last one counts.
        for number in range(len(starts) - 2, -1, -1):
            starts[number] = line.rfind(self.pieces[number], starts[number], starts[number + 1])
        found: dict[str, bytes] = {}
        if self.first:
            before = line[max(0, starts[0] - _LONGEST) : starts[0]]
            found[self.first] = before.rpartition(b" ")[2].lstrip(b"'\"`([")
        for name, piece, start, end in zip(self.places, self.pieces, starts, starts[1:], strict=False):
            if name:
                found[name] = line[start + len(piece) : end][:_LONGEST].strip()
        if len(self.places) == len(self.pieces) and self.places and self.places[-1] == END:
            return None if line[at : at + 1].isalnum() else found
        if len(self.places) == len(self.pieces) and self.places and self.places[-1]:
            word = _WORD.search(line[at : at + _LONGEST].lstrip())
            # A sentence may end behind the place.
            found[self.places[-1]] = word[0].rstrip(b".:") if word else b""
        return found


class Phrases:
    """Many phrases with the names that they stand for, sorted out for a fast search."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        """Take pairs of a phrase and a name."""
        self._by_anchor: dict[bytes, list[tuple[Phrase, str]]] = {}
        for text, name in phrases:
            phrase = Phrase.of(text)
            self._by_anchor.setdefault(phrase.anchor, []).append((phrase, name))
        anchors = sorted(self._by_anchor)
        self._shorter = {each: [other for other in _starts(each) if other in self._by_anchor] for each in anchors}
        self._pattern = re.compile(_tree(anchors)) if anchors else None
        self._gates: tuple[bytes, ...] | None = None
        self.numbered = tuple(
            {
                without_digits(anchor)
                for anchor, found in self._by_anchor.items()
                if any(without_digits(piece) != piece for phrase, _ in found for piece in phrase.pieces)
            }
        )
        """The longest pieces of phrases that have digits, without them."""

    @property
    def gates(self) -> tuple[bytes, ...]:
        """Short parts of which each line with a phrase has one, digits aside: few of them stand in lines that tell of no error."""
        if self._gates is None:
            self._gates = _cover({without_digits(anchor) for anchor in self._by_anchor})
        return self._gates

    def within(self, line: bytes) -> Iterator[tuple[str, Mapping[str, bytes]]]:
        """Yield the name of each phrase that stands in `line`, once, with what stands in its places; the longest phrase first."""
        if self._pattern is None:
            return
        found: list[tuple[int, str, Mapping[str, bytes]]] = []
        match = self._pattern.search(line)
        while match is not None:
            for anchor in self._shorter[match[0]]:
                for phrase, name in self._by_anchor[anchor]:
                    there = phrase.within(line)
                    if there is not None:
                        found.append((sum(map(len, phrase.pieces)), name, there))
            match = self._pattern.search(line, match.start() + 1)
        told: set[str] = set()
        for _, name, places in sorted(found, key=lambda each: -each[0]):
            if name not in told:
                told.add(name)
                yield name, places


def without_digits(text: bytes) -> bytes:
    """Return what a text has but digits."""
    return text.translate(None, b"0123456789")


def _starts(word: bytes) -> Iterator[bytes]:
    return (word[:end] for end in range(len(word), 0, -1))


def _tree(words: list[bytes]) -> bytes:
    """Return a pattern for any of the sorted words, the longest first, that looks at each byte of a text once for all of them."""
    branches: dict[bytes, list[bytes]] = {}
    ends = False
    for word in words:
        if word:
            branches.setdefault(word[:1], []).append(word[1:])
        else:
            ends = True
    made = []
    for first, rest in branches.items():
        # A stretch without a choice is one literal.
        head = first
        while len({each[:1] for each in rest}) == 1 and rest[0][:1]:
            head += rest[0][:1]
            rest = [each[1:] for each in rest]
        tail = _tree(rest) if rest != [b""] else b""
        made.append(re.escape(head) + tail)
    pattern = b"|".join(made)
    if not made:
        return b""
    return b"(?:" + pattern + b")" + (b"?" if ends else b"")


def _cover(anchors: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return short words such that each anchor has one of them: greedily those that most have."""
    found = [anchor for anchor in anchors if len(anchor) < _GRAM]
    left = {anchor: {anchor[at : at + _GRAM] for at in range(len(anchor) - _GRAM + 1)} for anchor in anchors}
    left = {anchor: grams for anchor, grams in left.items() if grams}
    counts = Counter(gram for grams in left.values() for gram in grams)
    while left:
        best = max(counts, key=lambda gram: (counts[gram], gram))
        found.append(best)
        for anchor in [anchor for anchor, grams in left.items() if best in grams]:
            counts.subtract(left.pop(anchor))
    return tuple(found)
