"""What a whole tree looks like, so that a test can tell that nothing in it was touched."""

from __future__ import annotations

import os
import stat
from collections.abc import Container
from pathlib import Path
from typing import Any

Snapshot = dict[str, tuple[Any, ...]]


def snapshot(root: Path, *, without: Container[str] = ()) -> Snapshot:
    """Return what each thing below `root` is, by relative path: kind, mode, owner, time, names, target, attributes, content.

    `without` has paths that are left out, with all that is below them.
    """
    found: Snapshot = {}
    waiting = [root]
    while waiting:
        at = waiting.pop()
        shown = at.relative_to(root).as_posix()
        if shown in without:
            continue
        status = at.lstat()
        content: Any = None
        if stat.S_ISLNK(status.st_mode):
            content = os.fspath(at.readlink())
        elif stat.S_ISREG(status.st_mode):
            content = at.read_bytes()
        elif stat.S_ISDIR(status.st_mode):
            waiting += at.iterdir()
        attributes = {name: os.getxattr(at, name, follow_symlinks=False) for name in _attributes(at)}
        # A folder in which something is made that was asked for gets a new time, and so does one that holds a cache.
        time = None if stat.S_ISDIR(status.st_mode) else status.st_mtime_ns
        links = None if stat.S_ISDIR(status.st_mode) else (status.st_ino, status.st_nlink)
        found[shown] = (status.st_mode, status.st_uid, status.st_gid, time, links, attributes, content)
    return found


def changed(before: Snapshot, after: Snapshot) -> set[str]:
    """Return the paths that are not what they were, those that are new or gone included."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def _attributes(path: Path) -> list[str]:
    return os.listxattr(path, follow_symlinks=False) if hasattr(os, "listxattr") else []
