"""What a grammar says about a part of a value."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.text.bilingual import Text


class Problem(NamedTuple):
    """One part of a text that doesn't fit. `start` and `end` are code points from 0 in the text."""

    start: int
    end: int
    message: Text
    """A clause that says what is wrong: no capital at its start, no full stop."""
    certain: bool = True
    """False: the docs rule it out, or it can't be meant, but the tool takes it."""
    instead: str | None = None
    """What to put in the part's place, where that is sure."""
