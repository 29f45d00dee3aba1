"""How often a peer and npu-lsp say the same of what is put to both."""

from __future__ import annotations

import sys

_BAR = 0.97
"""Of what a peer takes, and of what it refuses, so much must be told alike."""


class Tally:
    """Counts of what a peer takes and refuses, each with what npu-lsp tells alike."""

    def __init__(self) -> None:
        self._alike = {True: [0, 0], False: [0, 0]}

    def add(self, shown: str, theirs: str | None, ours: str | None) -> None:
        """Count one case by what each says is wrong with it, `None` for nothing; print it where they differ."""
        count = self._alike[theirs is None]
        count[0] += (ours is None) == (theirs is None)
        count[1] += 1
        if (ours is None) != (theirs is None):
            sys.stdout.write(f"{shown}\n  {theirs}\n  {ours}\n")

    def end(self, name: str) -> int:
        """Print the shares, and return the exit code: 1 where one of them misses the bar."""
        for taken, (right, all_of) in self._alike.items():
            what = "accepted and clean" if taken else "refused and told"
            sys.stdout.write(f"{name}: {what} {right} of {all_of} ({right / max(all_of, 1):.1%})\n")
        return 0 if all(right >= _BAR * all_of for right, all_of in self._alike.values()) else 1
