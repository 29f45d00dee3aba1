"""How a run ends before its time: by a signal, at any moment, with nothing half done and nobody left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

_TERMINATED = 128 + signal.SIGTERM
"""The exit code of a run that was told to end, as shells have it."""


def end_in_order() -> None:
    """Let a request to end unwind what is going on, as an interrupt from the keyboard does, with the exit code `128 + SIGTERM`."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        # Only the main thread may ask for signals; whoever runs us in another one has asked already.
        with suppress(ValueError):
            signal.signal(signal.SIGTERM, _end)


def _end(*_: object) -> NoReturn:
    # A second one must not disturb what the first one made us do.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(_TERMINATED)


@contextmanager
def held() -> Iterator[None]:
    """Keep signals back in here; a process that is started in here gets them once it has said `Stop.listen`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Tells a process that works for another one whether it shall end: it was told to, or the other one is gone.

    While it waits for work it ends at once; otherwise it may be writing, and ends when it asks next.
    """

    def __init__(self, parent: int) -> None:
        self._parent = parent
        self._asked = False
        self.waiting = True

    def listen(self) -> None:
        """Handle SIGTERM, and ignore SIGINT: the parent process decides what an interrupt does."""
        # An interrupt from the keyboard reaches all processes, but the one that was started is to say what comes of it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self._ask)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

    def __bool__(self) -> bool:
        # Who was killed told nobody.
        return self._asked or os.getppid() != self._parent

    def _ask(self, *_: object) -> None:
        self._asked = True
        if self.waiting:
            os._exit(0)
