"""Looks for many words in one pass over a text, however many they are."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, AnyStr, Generic

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

if TYPE_CHECKING:
    from mmap import mmap

    from ahocorasick_rs import BytesAhoCorasick

_STRIDE = 1 << 18
"""Characters that are looked through at once: each word that is found costs memory."""
_MANY = 1000


class Words(Generic[AnyStr]):
    """Words of ASCII without a question mark, of which none is empty; what finds them is made when it is first needed.

    Those that are given as text are found in bytes, too.
    """

    __slots__ = ("_automaton", "_many", "longest", "words")

    def __init__(self, words: Iterable[AnyStr]) -> None:
        self.words: tuple[AnyStr, ...] = tuple(words)
        self.longest = max(map(len, self.words), default=0)
        self._automaton: BytesAhoCorasick | None = None
        self._many = False

    def prepare(self) -> None:
        """Be ready for many texts: what finds the words takes long to make, and half the time to use."""
        if not self._many:
            self._automaton, self._many = _made(self.words, many=True), True

    def places(self, text: str | bytes | mmap, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        """Return (index of the word, offset) for each occurrence between `start` and `end`; overlapping ones are all there.

        They come in the order of their ends. Offsets are those of `text`: code points, or bytes.
        """
        last = len(text) if end is None else end
        count = len(self.words)
        if start == 0 and last == len(text) <= _STRIDE:
            return [(number, at) for number, at, _ in self._in(text) if number < count]
        found: list[tuple[int, int]] = []
        for part in range(start, last, _STRIDE):
            piece = text[part : min(last, part + _STRIDE + self.longest)]
            found += [(number, part + at) for number, at, _ in self._in(piece) if at < _STRIDE and number < count]
        return found

    def found(self, text: str | bytes | mmap) -> set[AnyStr]:
        """Return the words that stand in `text`."""
        return {self.words[number] for number in {number for number, _ in self.places(text)}}

    def offsets(self, text: str | bytes, start: int = 0, end: int | None = None) -> dict[AnyStr, list[int]]:
        """Return where each word stands between `start` and `end`, in the order of the text; nothing where it doesn't."""
        found: list[list[int]] = [[] for _ in self.words]
        for number, at in self.places(text, start, end):
            found[number].append(at)
        return dict(zip(self.words, found, strict=True))

    def _in(self, text: str | bytes | mmap) -> Sequence[tuple[int, int, int]]:
        """Return (index, start, end), also for what is no word and has a number behind those of all words."""
        # The library's own search in texts makes a table of all offsets, which takes longer than the search. A byte stands for
        # each character: none of the words has the sign that is put in the place of those that aren't ASCII.
        data = text.encode("ascii", "replace") if isinstance(text, str) else text
        if self._automaton is None:
            self._automaton = _made(self.words)
        return self._automaton.find_matches_as_indexes(data, overlapping=True)


def _made(words: Iterable[str | bytes], *, many: bool = False) -> BytesAhoCorasick:
    from ahocorasick_rs import BytesAhoCorasick, Implementation

    written = (word.encode("ascii") if isinstance(word, str) else word for word in words)
    # Where words start with few letters the library jumps from one of these to the next, which takes two times as long as no jumps.
    # Progress bars are full of the backspace, and no text of these.
    given = (*written, *(bytes((sign, sign)) for sign in range(14, 22)))
    # A table of all states finds words two times sooner, by half a millisecond in 100 KB. That of 4,000 words is made in 20 ms,
    # the other in three: a check of a few files would wait for it.
    how = Implementation.DFA if many or len(given) < _MANY else Implementation.ContiguousNFA
    return BytesAhoCorasick(given, implementation=how)


def matches(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield what a pattern finds at each of some places, where it finds anything there."""
    return filter(None, (pattern.match(text, at) for at in places))


def lines_with(text: str, *signs: str) -> Iterator[tuple[int, int]]:
    r"""Yield where each line begins and ends that holds one of `signs`, up to its `\n`, in the order of the text.

    A search for plain signs is ten times as fast as a pattern that is tried at each character, such as one that starts with `^`.
    """
    if len(signs) != 1:
        yield from sorted({line for sign in signs for line in lines_with(text, sign)})
        return
    done = 0
    while (place := text.find(signs[0], done)) >= 0:
        begin = text.rfind("\n", done, place) + 1 or done
        end = text.find("\n", place)
        if end < 0:
            yield begin, len(text)
            return
        yield begin, end
        done = end + 1


def in_lines_with(pattern: re.Pattern[str], text: str, *signs: str) -> Iterator[re.Match[str]]:
    """Yield what a pattern finds that looks at no more than a line, and finds nothing in lines without one of `signs`."""
    for line in lines_with(text, *signs):
        yield from pattern.finditer(text, *line)


NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_FEW = 200


def words(text: str, names: Container[str]) -> Iterator[tuple[str, Span]]:
    """Yield the places at which one of `names` stands as a word of its own."""
    present = [name for name in {*NAME.findall(text)} if name in names]
    if len(present) > _FEW:
        for match in NAME.finditer(text):
            if match.group() in names and not text[match.start() - 1 : match.start()].isdecimal():
                yield match.group(), Span(*match.span())
        return
    # A search for each is ten times sooner done than all words are looked at.
    for start, found in sorted((start, name) for name in present for start in _starts(text, name)):
        yield found, Span(start, start + len(found))


def _starts(text: str, name: str) -> Iterator[int]:
    """Yield where a name stands as a word of its own."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, behind = text[start - 1 : start], text[end : end + 1]
        if not (before in _SIGNS or before.isdecimal() or behind in _SIGNS):
            yield start
        start = text.find(name, end)
