"""Where words occur in a text, carried over from one version of it to the next."""

from __future__ import annotations

from bisect import bisect_left

from npu_lsp.spans import Change


class Words:
    """Answers where a word occurs; an edit costs a look at what changed, not at the whole text."""

    __slots__ = ("_change", "_found", "_old", "text")

    def __init__(self, text: str, old: dict[str, list[int]] | None = None, change: Change | None = None) -> None:
        self.text = text
        self._found: dict[str, list[int]] = {}
        self._old = old or {}
        self._change = change

    def edited(self, text: str, change: Change) -> Words:
        """Return the words of `text`, which came from this one's by `change`."""
        return Words(text, self._found, change)

    def find(self, word: str) -> list[int]:
        """Return the offsets at which `word` starts, also inside longer words. Don't change the list."""
        found = self._found.get(word)
        if found is None:
            old = self._old.get(word)
            if old is None or self._change is None:
                found = self._search(word, 0, len(self.text))
            else:
                found = self._carried(word, old, self._change)
            self._found[word] = found
        return found

    def whole(self, word: str) -> list[int]:
        """Return the offsets at which `word` stands as a whole name that is no attribute of another."""
        text, size, length = self.text, len(self.text), len(word)
        return [
            at
            for at in self.find(word)
            if not (at and ((before := text[at - 1]).isalnum() or before in "_."))
            and not (at + length < size and ((after := text[at + length]).isalnum() or after == "_"))
        ]

    def settle(self) -> None:
        """Forget the older version; words that nobody asked for in this one are not carried on."""
        self._old = {}
        self._change = None

    def _search(self, word: str, start: int, end: int) -> list[int]:
        found: list[int] = []
        text = self.text
        at = text.find(word, start, end)
        while at >= 0:
            found.append(at)
            at = text.find(word, at + 1, end)
        return found

    def _carried(self, word: str, old: list[int], change: Change) -> list[int]:
        """Return the offsets before, in and after the change; a word that touches it is looked for again."""
        length = len(word)
        delta = change.new_end - change.old_end
        first = max(change.start - length + 1, 0)
        middle = self._search(word, first, min(change.new_end + length - 1, len(self.text)))
        after = old[bisect_left(old, change.old_end) :]
        if delta:
            after = [at + delta for at in after]
        return old[: bisect_left(old, first)] + middle + after
