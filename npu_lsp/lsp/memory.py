"""Memory that is no longer needed goes back to the system, so that a server that runs for days stays small."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

_CLOSED = 50
"""So many closed documents leave enough behind to be worth a look, which takes a few milliseconds."""


class Leftovers:
    """Counts closed documents, and has what they leave behind given back now and then."""

    def __init__(self, later: Callable[[Callable[[], None]], None]) -> None:
        """`later` runs a task where nobody waits for it."""
        self._later = later
        self._closed = 0

    def closed(self) -> None:
        """Note that a document was closed."""
        self._closed += 1
        if self._closed >= _CLOSED:
            self._closed = 0
            self._later(_give_back)


def _give_back() -> None:
    """Return free memory to the system, where there is a way to.

    The C library keeps the holes that texts and trees leave between longer-lived things: by the tens of megabytes in
    a session of some thousand documents.
    """
    # The collector looks through old things seldom, and a document with its trees and findings is old by then.
    gc.collect()
    if not sys.platform.startswith("linux"):
        return
    from ctypes import CDLL

    trim = getattr(CDLL(None), "malloc_trim", None)
    if trim is not None:  # another C library than GNU's gives back by itself
        trim(0)
