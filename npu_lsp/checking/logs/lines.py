"""Lines of large logs where they stand, and what stands in one that may have a code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from npu_lsp.catalog.error_codes import BEFORE_NUMBER, ErrorCodes
from npu_lsp.text import lazy_re as re

_WIDEST = 1 << 16
"""Bytes of a line that are read."""
ADDRESS = re.compile(rb"\bx[a-f]{0,16}\b")
"""What is left of an address without its digits."""
BEFORE_CODE = ("0x", *BEFORE_NUMBER)
_ANY = re.compile(r"[?*]+")
_NUMBER = re.compile(r"\d\d")
_MOST = 4
"""Letters of a code that are looked for."""


class LogLine(NamedTuple):
    """A line within a piece of a log."""

    piece: bytes
    start: int
    end: int

    @property
    def text(self) -> bytes:
        """What is read of it."""
        return self.piece[self.start : min(self.end, self.start + _WIDEST)]

    @property
    def above(self) -> bytes:
        """The line above it; empty where the piece has none."""
        end = self.start - 1
        return self.piece[max(self.piece.rfind(b"\n", 0, end) + 1, end - _WIDEST) : end] if end > 0 else b""

    def following(self, count: int, widest: int) -> Iterator[bytes]:
        """Yield the next lines, each as wide as this."""
        start = self.end + 1
        for _ in range(count):
            end = self.piece.find(b"\n", start)
            end = len(self.piece) if end < 0 else end
            yield self.piece[start : min(end, start + widest)]
            start = end + 1


def words_of_codes(codes: ErrorCodes) -> Mapping[bytes, int]:
    """Return words of which one stands in each line that has a code, and by how much the code begins behind them.

    They are how those with letters begin, and numbers with what stands before them.
    """
    found: dict[str, int] = {}
    for form in codes.forms():
        if form.startswith("-"):
            found |= {before + form[1]: len(before) - 1 for before in BEFORE_NUMBER if before.endswith("-")}
        elif _NUMBER.match(form) is not None:
            found |= {before + form[:2]: len(before) for before in BEFORE_NUMBER if not before.endswith("-")}
        else:
            parts = _ANY.split(form)
            part = max(parts, key=len)[:_MOST]
            # A place of a form stands for one sign, but at its end.
            start = -form.index(part)
            # A digit comes next: `ERR01001` is a code, `ERROR` none.
            short = 1 < len(part) < _MOST and not start
            words = (f"{part}{digit}" for digit in range(10)) if short else (part,)
            # Hexadecimal digits of numbers are written either way.
            found |= {
                each: start for word in words for each in ((word, word.lower()) if form.startswith("0x") else (word,))
            }
    return {word.encode(): start for word, start in found.items()}
