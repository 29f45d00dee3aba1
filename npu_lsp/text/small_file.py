"""Reads small regular files and nothing else: no pipe, no device, nothing that keeps its reader waiting or never ends.

For what others may put where we look: a configuration, what it names, an ignore file, a file that a setting names.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_CHUNK = 1 << 18


def opened(path: Path | str, *, links: bool) -> int:
    """Return a handle to read what is at `path`; without `links`, raise `OSError` where that is a link, wherever it leads."""
    if not links and not _NO_LINK and os.path.islink(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return os.open(path, _FLAGS if links else _FLAGS | _NO_LINK)


def read(path: Path | str, limit: int, *, links: bool = True) -> bytes:
    """Return the bytes of the regular file at `path`; raise `OSError` where there is none, or more than `limit` bytes.

    Without `links`, a link at `path` is no file, wherever it leads.
    """
    try:
        handle = opened(path, links=links)
    except ValueError as error:
        # A path that no file system can have: with a NUL, or half of a character.
        raise OSError(errno.EINVAL, "is no path") from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is not a file")
        parts: list[bytes] = []
        left = limit - status.st_size
        # Some files tell no size, and some grow.
        while left >= 0 and (part := os.read(handle, _CHUNK)):
            parts.append(part)
            left = limit - sum(map(len, parts))
        if left < 0:
            raise OSError(errno.EFBIG, f"is larger than {limit} bytes")
        return b"".join(parts)
    finally:
        os.close(handle)


def read_text(path: Path | str, limit: int) -> str:
    """Return the text of the file at `path` with plain line ends; raise `UnicodeDecodeError` where it isn't UTF-8."""
    text = read(path, limit).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")
