"""What a grammar says about a part of a value, and texts that know where they stand in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.text.bilingual import Text

_WIDE = {
    "；": ";",
    "：": ":",
    "，": ",",
    "～": "~",
    "｜": "|",
    "［": "[",
    "］": "]",
    "【": "[",
    "】": "]",
    "－": "-",
    "–": "-",
    "—": "-",
    "　": " ",
    "\u00a0": " ",
}
_WIDE_DIGITS = {ord("０") + digit: str(digit) for digit in range(10)}


class ValueProblem(NamedTuple):
    """One part of a text that doesn't fit. `start` and `end` are code points from 0 in the text."""

    start: int
    end: int
    message: Text
    """A clause that says what is wrong: no capital at its start, no full stop."""
    certain: bool = True
    """False: the docs rule it out, or it can't be meant, but the tool takes it."""
    instead: str | None = None
    """What to put in the part's place, where that is sure."""


class ValuePart(NamedTuple):
    """A part of an option's value, and the offset at which it starts there."""

    text: str
    start: int = 0

    @property
    def end(self) -> int:
        """Where the part ends in the value."""
        return self.start + len(self.text)

    @property
    def span(self) -> tuple[int, int]:
        """Where the part starts and ends in the value."""
        return self.start, self.end

    def split(self, separator: str) -> list[ValuePart]:
        """Return what stands between the separators; always one part more than there are of them."""
        parts: list[ValuePart] = []
        at = self.start
        for text in self.text.split(separator):
            parts.append(ValuePart(text, at))
            at += len(text) + len(separator)
        return parts

    def lines(self, separator: str) -> list[ValuePart]:
        """Return the parts as C++ `getline` does: nothing counts after a separator at the end."""
        parts = self.split(separator)
        return parts if parts[-1].text else parts[:-1]

    def cut(self, at: int) -> tuple[ValuePart, ValuePart]:
        """Return what stands before and after the character at `at` of the part."""
        return ValuePart(self.text[:at], self.start), ValuePart(self.text[at + 1 :], self.start + at + 1)

    def strip(self, blanks: str | None = None) -> ValuePart:
        """Return the part without the blanks around it."""
        bare = self.text.lstrip(blanks)
        return ValuePart(bare.rstrip(blanks), self.end - len(bare))

    def problem(self, en: str, zh: str, *, certain: bool = True, instead: str | None = None) -> ValueProblem:
        """Return a problem with this part; one that is empty underlines the character before or behind it."""
        start, end = self.start, self.end
        if start == end:
            start, end = (start - 1, end) if start else (start, end + 1)
        return ValueProblem(start, end, Text(en, zh), certain, instead)


def whole(text: str) -> ValuePart:
    """Return a value as one part."""
    return ValuePart(text)


def full_width(text: str) -> Iterator[ValueProblem]:
    """Yield each full-width sign that stands for an ASCII one: no tool knows them."""
    for at, char in enumerate(text):
        instead = _WIDE.get(char) or _WIDE_DIGITS.get(ord(char))
        if instead is not None:
            yield ValuePart(char, at).problem(
                f'full-width "{char}" is not "{instead}"', f"“{char}”是全角字符，应为“{instead}”", instead=instead
            )


def is_digits(text: str) -> bool:
    """Return whether a text is one or more ASCII digits and nothing else."""
    return text.isascii() and text.isdigit()


def number(text: str) -> int:
    """Return the number that digits, perhaps with a sign, make; a number of absurd length is the largest there is."""
    return int(text) if len(text) < 40 else (1 << 63)


def words(listed: str) -> frozenset[str]:
    """Return the names in a text that has blanks and line ends between them."""
    return frozenset(listed.split())
