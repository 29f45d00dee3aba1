"""Where logs come from: a file, a packed one, a folder of them with all that collecting tools make, or a stream.

A folder's logs are read in the order of their names; what is no log by its name is left out, as are links that lead out of it.
"""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

_PIECE = 1 << 20
"""Bytes that are read at a time; a line that is longer is cut there."""
_LOGS = (".log", ".txt", ".out", ".err", ".gz", ".stdout", ".stderr")
_NAMES = ("plog-", "device-", "log", "stdout", "stderr", "nohup.out", "messages", "dmesg", "rank", "worker", "history")
_MOST = 20_000
"""Files of a folder that are read."""
_MAGIC = b"\x1f\x8b"
ERRORS = (OSError, EOFError, zlib.error)
"""What reading raises."""


def below(path: str) -> Iterator[str]:
    """Yield the logs below a folder, sorted; `path` itself where it is a file. Raises `OSError`."""
    if not os.path.isdir(path):
        yield path
        return
    count = 0
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            full = os.path.join(folder, name)
            if _is_log(name) and os.path.isfile(full) and not os.path.islink(full):
                yield full
                count += 1
                if count == _MOST:
                    return


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a log, unpacked; a pipe is one, too. Raises `OSError`."""
    with open(path, "rb") as stream:
        head = stream.peek(2)[:2] if stream.seekable() else b""
        if path.endswith(".gz") or head == _MAGIC:
            with gzip.open(stream) as unpacked:
                yield cast(BinaryIO, unpacked)
        elif head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            # PowerShell writes so what a command prints.
            yield cast(BinaryIO, codecs.EncodedFile(stream, "utf-8", "utf-16", "replace"))
        else:
            yield stream


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the content in pieces that end with a line, as far as lines are shorter than a piece."""
    rest = b""
    while data := stream.read(_PIECE):
        data = rest + data
        end = data.rfind(b"\n") + 1 or len(data)
        yield data[:end]
        rest = data[end:]
    if rest:
        yield rest


def _is_log(name: str) -> bool:
    lower = name.lower()
    stem, dot, number = lower.rpartition(".")
    # `run.log.1` is a log that was rotated.
    return lower.endswith(_LOGS) or lower.startswith(_NAMES) or (bool(dot) and number.isdecimal() and _is_log(stem))
