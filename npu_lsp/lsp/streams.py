"""The two ends of a connection: where the client's bytes come from and where ours go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NamedTuple

from npu_lsp.lsp.inbox import Read


class Connection(NamedTuple):
    """A client."""

    read: Read
    write: Callable[[bytes], None]
    """Writes all of it; raises `OSError` when the client is gone."""
    close: Callable[[], None]


def stdio() -> Connection:
    """Take standard input and output for the protocol, and keep everybody else off them.

    From now on what anything prints, in Python or below it, goes to standard error: a stray line in the middle of a
    message would end the session.
    """
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    return Connection(lambda size: os.read(source, size), lambda data: _write_all(sink, data), lambda: os.close(sink))


def _write_all(sink: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(sink, view) :]
