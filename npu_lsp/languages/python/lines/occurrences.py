"""Where words occur in a text, and which logical lines may bind a name: told from the text alone, so that few have to be parsed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from npu_lsp.languages.python.lines.logical_lines import LogicalLines, Rescanned, carried
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import TextChange
from npu_lsp.text.word_search import Words

Offsets = dict[str, list[int]]

_FEW = 200
"""Names that are looked for one by one. Who asks for more gets all words of the text at once: a text as full of names as
it is long would be searched as often as that."""
_WORD = re.compile(r"\w+")


def _begins_at(text: str, offset: int) -> bool:
    """Return whether a word, or a part of one, begins at `offset`."""
    before = text[offset - 1] if offset else " "
    return not before.isalpha() or (before.islower() and text[offset].isupper())


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


class OccurrenceIndex:
    """Answers where a word occurs; those of `common` are found in one pass over the text."""

    __slots__ = ("_common", "_found", "_names", "_searched", "_words", "text")

    def __init__(self, text: str, common: Words[str]) -> None:
        self.text = text
        self._common = common
        self._found: Offsets = {}
        self._names: Offsets = {}
        self._searched = 0
        self._words: Offsets | None = None

    def edited(self, text: str, change: TextChange) -> OccurrenceIndex:
        """Return the index of `text`, which came from this one's by `change`: for the words that are known, that alone is looked at."""
        new = OccurrenceIndex(text, self._common)
        if self._found and len(self._found) <= len(self._common.words) + _FEW:
            margin = self._common.longest
            near = self._common.offsets(text, max(change.start - margin, 0), min(change.new_end + margin, len(text)))
            new._found = {
                # Of all the words that are known few are there at all.
                word: _carried(word, old, near.get(word), text, change)
                if old or near.get(word) or word not in near
                else old
                for word, old in self._found.items()
            }
            new._names = {
                word: new._names_near(word, old, change) for word, old in self._names.items() if word in new._found
            }
        return new

    def prefix(self, word: str) -> bool:
        """Return whether a word, or a part of one, begins with `word`: with `npu` and `NPU` do `use_npu` and `myNPU`, not `input`."""
        return any(_begins_at(self.text, at) for at in self.substring(word))

    def substring(self, word: str) -> list[int]:
        """Return the offsets at which `word` starts, also inside longer words. Don't change the list."""
        if not self._found:
            self._found = self._common.offsets(self.text)
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = _search(self.text, word, 0, len(self.text))
        return found

    def name(self, word: str) -> list[int]:
        """Return the offsets at which `word` stands as a whole name that is no attribute of another."""
        found = self._names.get(word)
        if found is None:
            found = self._names[word] = self._names_among(word, self._candidates(word))
        return found

    def word(self, word: str) -> list[int]:
        """Return the offsets at which `word` stands as a whole word, also as an attribute."""
        return self._words_among(word, self._candidates(word))

    def _words_among(self, word: str, offsets: list[int]) -> list[int]:
        text, length, size = self.text, len(word), len(self.text)
        return [
            at
            for at in offsets
            if not (at and _in_word(text[at - 1])) and not (at + length < size and _in_word(text[at + length]))
        ]

    def _names_among(self, word: str, offsets: list[int]) -> list[int]:
        text = self.text
        return [at for at in self._words_among(word, offsets) if not (at and text[at - 1] == ".")]

    def _names_near(self, word: str, old: list[int], change: TextChange) -> list[int]:
        """Return where `word` is a name behind a change: what stands beside a word decides, too, and is looked at again."""
        every, delta = self._found[word], change.new_end - change.old_end
        first, last = change.start - len(word), change.new_end + 1
        near = self._names_among(word, every[bisect_left(every, first) : bisect_left(every, last)])
        return carried(old, first, last - delta, delta, near)

    def _candidates(self, word: str) -> list[int]:
        """Return offsets at which `word` starts: all those where it is a whole word, and perhaps others."""
        if word in self._found or _WORD.fullmatch(word) is None:
            return self.substring(word)
        if self._words is None:
            self._searched += 1
            if self._searched <= _FEW:
                return self.substring(word)
            self._words = {}
            for match in _WORD.finditer(self.text):
                self._words.setdefault(match.group(), []).append(match.start())
        return self._words.get(word, [])


def _search(text: str, word: str, start: int, end: int) -> list[int]:
    """Return where `word` stands in a part of `text`."""
    found: list[int] = []
    at = text.find(word, start, end)
    while at >= 0:
        found.append(at)
        at = text.find(word, at + 1, end)
    return found


def _carried(word: str, old: list[int], near: list[int] | None, text: str, change: TextChange) -> list[int]:
    """Return where a word stands behind a change: as before it and behind it, and near it as was found there."""
    first, last = max(change.start - len(word) + 1, 0), change.new_end
    if near is None:
        near = _search(text, word, first, last + len(word) - 1)
    if not old and not near:
        return old
    inside = (at for at in near if first <= at < last)
    return carried(old, first, change.old_end, change.new_end - change.old_end, inside)


_KEYWORD = re.compile(r"(?:for|def|class|global|nonlocal|del|import|from|with|except|async|case)\b")
_AFTER = re.compile(r"\s*(?:=(?!=)|(?:[-+*/%&|^@]|//|\*\*|<<|>>)=|:=|:[^:=\r\n]+=(?!=)|[,)\]])")


class BindingLines:
    """Answers for one text; what was asked of the version before is carried over a change."""

    def __init__(self, text: str, lines: LogicalLines, occurrences: OccurrenceIndex) -> None:
        self._text = text
        self._lines = lines
        self._occurrences = occurrences
        self._known: dict[str, list[int]] = {}
        self._before: tuple[dict[str, list[int]], Rescanned] | None = None

    def edited(self, text: str, change: Rescanned, occurrences: OccurrenceIndex) -> BindingLines:
        """Return what there is to say of a changed text."""
        new = BindingLines(text, change.lines, occurrences)
        new._before = self._known, change
        return new

    def of(self, name: str) -> list[int]:
        """Return the indexes of the lines that may bind `name`, in the order of the text. Don't change the list."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._found(name)
        return known

    def _found(self, name: str) -> list[int]:
        every = self._occurrences.name(name)
        old, change = self._before if self._before is not None else ({}, None)
        if change is None or name not in old:
            return self._among(name, every)
        starts = self._lines.starts
        start = starts[change.first] if change.first < len(starts) else len(self._text)
        end = starts[change.behind] if change.behind < len(starts) else len(self._text)
        near = every[bisect_left(every, start) : bisect_right(every, end)]
        return change.carried(old[name], (at for at in self._among(name, near) if change.first <= at < change.behind))

    def _among(self, name: str, offsets: Iterable[int]) -> list[int]:
        found: list[int] = []
        for offset in offsets:
            index = self._lines.at(offset)
            if index is not None and not (found and found[-1] == index) and self._may_bind(name, offset, index):
                found.append(index)
        return found

    def _may_bind(self, name: str, offset: int, index: int) -> bool:
        text, start = self._text, self._lines.starts[index]
        if offset != start and _KEYWORD.match(text, start):
            return True
        if _AFTER.match(text, offset + len(name)) is None:
            return False
        if offset == start or text[start] in "([":
            return True
        # Between brackets a name with `=` is an argument.
        before = text[start:offset]
        return before.count("(") == before.count(")") or text.startswith(":=", offset + len(name) + 1)
