"""A line on the terminal that shows how far a long run is."""

from __future__ import annotations

import time
from typing import TextIO

_PATIENCE = 1.0
"""Seconds before the line appears."""
_PAUSE = 0.1
_WIDTH = 24


class Progress:
    """Counts files, or what else `unit` says, and shows the count when it takes long and someone watches."""

    def __init__(self, stream: TextIO | None, unit: str = "files") -> None:
        """Show nothing when there is no `stream`."""
        self._stream = stream
        self._unit = unit
        self._next = time.monotonic() + _PATIENCE
        self._shown = False
        self.done = 0
        self.total = 0
        """How many files there are; zero: not known yet."""

    @property
    def is_shown(self) -> bool:
        """Whether someone sees it, so that it is worth finding out how many files there are."""
        return self._shown

    def step(self, files: int = 1) -> None:
        """Count so many files."""
        before = self.done
        self.done += files
        # The clock is not asked for each file: that would cost as much as a small file does.
        if self._stream is not None and self.done // 16 > before // 16 and time.monotonic() >= self._next:
            self._show()

    def end(self) -> None:
        """Remove the progress line from the terminal, where one is shown."""
        if self._shown and self._stream is not None:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
            self._shown = False

    def _show(self) -> None:
        assert self._stream is not None  # noqa: S101 - the caller looked
        if self.total:
            # Files that only settings name come on top.
            total = max(self.total, self.done)
            filled = _WIDTH * self.done // total
            bar = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.done}/{total} {self._unit}"
        else:
            bar = f"{self.done} {self._unit}"
        # Said first: we may be interrupted right behind the writing.
        self._shown = True
        self._stream.write(f"\r\x1b[2Knpu-lsp: {bar}")
        self._stream.flush()
        self._next = time.monotonic() + _PAUSE
