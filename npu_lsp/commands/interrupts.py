"""Interrupts from the keyboard that Python loses.

One that comes while Python calls a function of its own accord, as it does behind each import, is shown and forgotten.
The run goes on then, but must not end as if nobody had wanted it to stop.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def noted() -> Iterator[list[int]]:
    """Give a list that has something in it once there was an interrupt; each still raises `KeyboardInterrupt`."""
    found: list[int] = []

    def note(number: int, _: object) -> None:
        found.append(number)
        raise KeyboardInterrupt

    # Whoever has asked for interrupts already gets them; only the main thread may ask.
    listens = False
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, note)
            listens = True
    try:
        yield found
    finally:
        if listens:
            signal.signal(signal.SIGINT, signal.default_int_handler)
