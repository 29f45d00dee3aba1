"""Logs in stretches between which nothing was written for hours: what one says once more may be of another run."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.logs.stamps import HEAD, When, first_time, last_time, seconds_from_start

WAITED = 2 * 3600
"""Seconds that ranks wait for one that failed, as timeouts are set: their errors may be so much later."""
SOME = 8192
"""Bytes of a piece that tell its first and its last time, and whether it is a text."""


class Stretches:
    """Cuts the pieces of a log."""

    def __init__(self) -> None:
        self._last: When | None = None

    def of(self, piece: bytes) -> Iterator[tuple[bytes, bool]]:
        """Yield a piece in parts, and whether each begins a stretch."""
        first = first_time(piece[:SOME])
        last = last_time(piece[-HEAD:]) or last_time(piece[-SOME:]) if first is not None else None
        if first is None or last is None:
            yield piece, False
            return
        begins, start = self._last is not None and is_pause(self._last, first), 0
        self._last = last
        for at in (*pauses(piece, first, last), len(piece)):
            if at > start:
                yield piece[start:at], begins
                begins, start = True, at


def is_pause(before: When, after: When) -> bool:
    """Return whether nothing was written for hours."""
    return before[:3] != after[:3] and seconds_from_start(after) - seconds_from_start(before) > WAITED


def pauses(text: bytes, first: When, last: When) -> list[int]:
    """Return where in a piece of a log, between its first and its last time, lines begin that were written hours after the one before."""
    found: list[int] = []
    left = [(0, len(text), seconds_from_start(first), seconds_from_start(last))]
    while left:
        start, end, begin, over = left.pop()
        if over - begin <= WAITED:
            continue
        half = (start + end) // 2
        middle = text.find(b"\n", half, end - 1) + 1 or text.rfind(b"\n", start, half) + 1
        if not start < middle < end:
            found.append(end)
            continue
        time = first_time(text[middle : middle + HEAD])
        if time is not None:
            at = seconds_from_start(time)
            left += [(start, middle, begin, at), (middle, end, at, over)]
    return sorted(found)
