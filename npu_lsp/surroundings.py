"""Looks at files other than the one that is checked: those that a setting names, those that a script imports.

Every look goes through here, so that whoever remembers a result knows what else it depends on. Nothing here waits for
anything (no pipe, no device), and nothing large is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Look = tuple[int, int] | None
"""What a file looked like: when it was modified in ns, and its size. `None`: there was none."""

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_noted: list[dict[str, Look]] = []


@contextmanager
def noting() -> Iterator[dict[str, Look]]:
    """Collect what is looked at inside the block, by absolute path."""
    noted: dict[str, Look] = {}
    _noted.append(noted)
    try:
        yield noted
    finally:
        _noted.remove(noted)


def look(path: Path | str) -> Look:
    """Return what the file or folder at `path` looks like now."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        found = None
    else:
        found = (status.st_mtime_ns, status.st_size)
    for noted in _noted:
        noted.setdefault(os.path.abspath(path), found)
    return found


def is_file(path: Path | str) -> bool:
    """Tell whether there is a regular file at `path`."""
    look(path)
    try:
        return os.path.isfile(path)
    except ValueError:
        return False


def exists(path: Path | str) -> bool:
    """Tell whether there is anything at `path`."""
    return look(path) is not None


def content(path: Path | str, limit: int) -> bytes | None:
    """Return the bytes of the regular file at `path`; `None` where there is none, or one larger than `limit` bytes."""
    look(path)
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError:
        return None
    finally:
        os.close(handle)
    return data if len(data) <= limit else None
