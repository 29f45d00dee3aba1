"""Phrases with named places, found in the lines of large texts: `listen on ip[{ip}] and specific port[{port}] fail`.

A phrase is literal pieces in their order, with anything between them; `{|}` at its end wants a word to end there, and the name of a constant
(`RPC_TIMEOUT`) begins one: `VLLM_RPC_TIMEOUT` is something else. The longest pieces of all phrases
are looked for at once, and only where one stands its phrase's other pieces are. Both are linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.word_search import Words

_PLACE = re.compile(r"\{(\w*|\|)\}")
END = "|"
"""The place at which a word ends."""
_LONGEST = 300
"""Characters of what stands in a place."""
_CONSTANT = re.compile(rb"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_IN_WORD = re.compile(rb"\w")
_EXCEPTION = re.compile(r"\A[\w.]*(?:Error|Exception): ")
_WORD = re.compile(rb"[^\s,;'\"`\])}]*")
"""What a place at the end of a phrase takes."""


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
        """The longest piece; of several the last, since many phrases begin alike."""
        return max(reversed(self.pieces), key=len)

    def _place(self, piece: bytes, line: bytes, at: int) -> int:
        start = line.find(piece, at)
        if len(self.pieces) == 1 and not self.first and _CONSTANT.fullmatch(piece):
            while start > 0 and _IN_WORD.match(line, start - 1):
                start = line.find(piece, start + 1)
        return start

    def within(self, line: bytes) -> dict[str, bytes] | None:
        """Return what stands in the places where `line` has the phrase, or `None`."""
        starts: list[int] = []
        at = 0
        for piece in self.pieces:
            start = self._place(piece, line, at)
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


PHRASE, BY_DIGITS = 1, 2
"""Marks of a text: a phrase may stand in it, and whether one does hangs on the digits."""


class Phrases:
    """Many phrases with the names that they stand for, looked for all at once."""

    def __init__(self, phrases: Iterable[tuple[str, str]], beside: Iterable[tuple[bytes, int]] = ()) -> None:
        """Compile `phrases`, pairs of text and name, into one search with the words of `beside`, each with the bits by which `marked` reports it."""
        by_anchor: dict[bytes, list[tuple[Phrase, str, int]]] = {}
        for text, name in phrases:
            phrase = Phrase.of(text)
            # The class of an exception says less than what it says of itself.
            says = sum(map(len, Phrase.of(_EXCEPTION.sub("", text)).pieces))
            by_anchor.setdefault(phrase.anchor, []).append((phrase, name, says))
        self._phrases = tuple(by_anchor.values())
        self._certain = tuple(_certain(anchor, found) for anchor, found in by_anchor.items())
        """What a word tells where it stands, whatever else does."""
        self._marks: dict[bytes, int] = {}
        for anchor, found in by_anchor.items():
            has_digits = any(without_digits(piece) != piece for phrase, _, _ in found for piece in phrase.pieces)
            self._marks[anchor] = PHRASE | (BY_DIGITS if has_digits else 0)
        for word, mark in beside:
            self._marks[word] = self._marks.get(word, 0) | mark
        self._words = Words(self._marks)
        self._of_words: dict[int, tuple[Words[bytes], tuple[tuple[int, int], ...]]] = {
            0: (self._words, tuple((mark, number) for number, mark in enumerate(self._marks.values())))
        }

    def prepare(self) -> None:
        """Compile the search for large texts now, before the first one comes."""
        self._words.prepare()

    def marked(self, text: bytes, but: int = 0) -> tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]:
        """Return marks and numbers of words beside and phrases, and which of these stand where in a text, in the order of their ends.

        Words that have the marks `but` only aren't looked for.
        """
        known = self._of_words.get(but)
        if known is None:
            left = {word: (mark, at) for at, (word, mark) in enumerate(self._marks.items()) if mark & ~but}
            known = self._of_words[but] = Words(left), tuple(left.values())
            known[0].prepare()
        words, marks = known
        return marks, words.places(text)

    def by_digits(self) -> list[bytes]:
        """Return the words by whose digits phrases may stand in a line."""
        return [word for word, mark in self._marks.items() if mark & BY_DIGITS and without_digits(word) != word]

    def numbers(self, words: Mapping[bytes, int]) -> Mapping[int, int]:
        """Return what belongs to words beside by the numbers of these."""
        return {number: words[word] for number, word in enumerate(self._marks) if word in words}

    def within(self, line: bytes, numbers: Iterable[int] | None = None) -> Iterator[tuple[str, Mapping[str, bytes]]]:
        """Yield the name of each phrase that stands in `line`, once, with what stands in its places; the longest phrase first.

        The words of the line are looked for where it isn't said that they are `numbers`.
        """
        found: list[tuple[int, str, Mapping[str, bytes]]] = []
        count = len(self._phrases)
        if numbers is None:
            numbers = (number for number, _ in self._words.places(line))
        for number in dict.fromkeys(number for number in numbers if number < count):
            certain = self._certain[number]
            if certain is not None:
                found.append(certain)
                continue
            for phrase, name, says in self._phrases[number]:
                there = phrase.within(line)
                if there is not None:
                    found.append((says, name, there))
        told: set[str] = set()
        for _, name, places in sorted(found, key=lambda each: -each[0]):
            if name not in told:
                told.add(name)
                yield name, places


def _certain(anchor: bytes, found: list[tuple[Phrase, str, int]]) -> tuple[int, str, Mapping[str, bytes]] | None:
    """Return what a word tells by itself: it is all of the only phrase that it belongs to."""
    phrase, name, says = found[0]
    whole = len(found) == 1 and phrase == ((anchor,), (), "") and _CONSTANT.fullmatch(anchor) is None
    return (says, name, {}) if whole else None


def without_digits(text: bytes) -> bytes:
    """Return what a text has but digits."""
    return text.translate(None, b"0123456789")
