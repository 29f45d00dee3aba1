"""Where words occur in a text, carried over from one version of it to the next."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from npu_lsp.text.spans import Change

Offsets = dict[str, list[int]]

_NEAR = 2_000
"""Characters that are searched again for each word: changes that lie further apart are not taken for one."""
_FEW = 200
"""Names that are looked for one by one. Who asks for more gets all words of the text at once: a text as full of names as
it is long would be searched as often as that."""
_WORD = re.compile(r"\w+")


def _begins_at(text: str, offset: int) -> bool:
    """Tell whether a word, or a part of one, begins at `offset`."""
    before = text[offset - 1] if offset else " "
    return not before.isalpha() or (before.islower() and text[offset].isupper())


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


class OccurrenceIndex:
    """Answers where a word occurs; an edit costs a look at what changed, not at the whole text."""

    __slots__ = ("_change", "_found", "_names", "_old", "_old_names", "_searched", "_words", "text")

    def __init__(
        self, text: str, old: Offsets | None = None, old_names: Offsets | None = None, change: Change | None = None
    ) -> None:
        self.text = text
        self._found: Offsets = {}
        self._names: Offsets = {}
        self._old = old or {}
        self._old_names = old_names or {}
        self._change = change
        self._searched = 0
        self._words: Offsets | None = None

    def edited(self, text: str, change: Change) -> OccurrenceIndex:
        """Return the words of `text`, which came from this one's by `change`."""
        if self._change is not None and not self._found:
            # Nobody has asked in this version: the lists of the one before are moved when somebody does.
            both = self._change.then(change)
            if both.new_end - both.start <= _NEAR:
                return OccurrenceIndex(text, self._old, self._old_names, both)
        self.carry()
        return OccurrenceIndex(text, self._found, self._names, change)

    def prefix(self, word: str) -> bool:
        """Tell whether a word, or a part of one, begins with `word`: with `npu` and `NPU` do `use_npu` and `myNPU`, not `input`."""
        return any(_begins_at(self.text, at) for at in self.substring(word))

    def substring(self, word: str) -> list[int]:
        """Return the offsets at which `word` starts, also inside longer words. Don't change the list."""
        found = self._found.get(word)
        if found is None:
            old = self._old.get(word)
            if old is None or self._change is None:
                found = self._search(word, 0, len(self.text))
            else:
                found = self._carried(old, self._change, len(word) - 1, lambda a, b: self._search(word, a, b))
            self._found[word] = found
        return found

    def name(self, word: str) -> list[int]:
        """Return the offsets at which `word` stands as a whole name that is no attribute of another."""
        found = self._names.get(word)
        if found is None:
            old = self._old_names.get(word)
            if old is None or self._change is None:
                found = self._alone(self._candidates(word), len(word))
            else:
                every = self.substring(word)

                def near(start: int, end: int) -> list[int]:
                    return self._alone(every[bisect_left(every, start) : bisect_left(every, end)], len(word))

                # What stands beside a word decides, too.
                found = self._carried(old, self._change, len(word), near)
            self._names[word] = found
        return found

    def word(self, word: str) -> list[int]:
        """Return the offsets at which `word` stands as a whole word, also as an attribute."""
        text, length, size = self.text, len(word), len(self.text)
        return [
            at
            for at in self._candidates(word)
            if not (at and _in_word(text[at - 1])) and not (at + length < size and _in_word(text[at + length]))
        ]

    def carry(self) -> None:
        """Take over all that the older version knew."""
        for word in self._old:
            self.substring(word)
        for word in self._old_names:
            self.name(word)
        self.settle()

    def settle(self) -> None:
        """Forget the older version; words that nobody asked for in this one are not carried on."""
        self._old = {}
        self._old_names = {}
        self._change = None

    def _candidates(self, word: str) -> list[int]:
        """Return offsets at which `word` starts: all those where it is a whole word, and perhaps others."""
        if word in self._found or word in self._old or _WORD.fullmatch(word) is None:
            return self.substring(word)
        if self._words is None:
            self._searched += 1
            if self._searched <= _FEW:
                return self.substring(word)
            self._words = {}
            for match in _WORD.finditer(self.text):
                self._words.setdefault(match.group(), []).append(match.start())
        return self._words.get(word, [])

    def _alone(self, offsets: list[int], length: int) -> list[int]:
        text, size = self.text, len(self.text)
        return [
            at
            for at in offsets
            if not (at and ((before := text[at - 1]) == "." or _in_word(before)))
            and not (at + length < size and _in_word(text[at + length]))
        ]

    def _search(self, word: str, start: int, end: int) -> list[int]:
        """Return the offsets in `[start, end)` at which `word` starts."""
        found: list[int] = []
        text = self.text
        end = min(end + len(word) - 1, len(text))
        at = text.find(word, start, end)
        while at >= 0:
            found.append(at)
            at = text.find(word, at + 1, end)
        return found

    def _carried(
        self, old: list[int], change: Change, margin: int, search: Callable[[int, int], list[int]]
    ) -> list[int]:
        """Return the offsets before, in and after the change; `margin` before it and one behind are looked at again."""
        delta = change.new_end - change.old_end
        first = max(change.start - margin, 0)
        last = change.old_end + 1
        after = old[bisect_left(old, last) :]
        if delta:
            after = [at + delta for at in after]
        return old[: bisect_left(old, first)] + search(first, last + delta) + after
