"""Looks at files other than the one that is checked: those that a setting names, those that a script imports.

Every look goes through here, so that whoever remembers a result knows what else it depends on. Nothing here waits for
anything (no pipe, no device), and nothing large is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import local
from typing import Any, ParamSpec, TypeVar

from npu_lsp.text import small_file
from npu_lsp.text.links import behind_link, is_link

Fingerprint = tuple[int, int] | None
"""What a file looked like: when it was modified in ns, and its size. `None`: there was none."""
Memory = dict[tuple[object, ...], tuple[dict[str, Fingerprint], Any]]
"""What was found out around the files of one run, and what it rests on: nothing there changes as long as the run takes."""

P = ParamSpec("P")
T = TypeVar("T")


class _Notes(local):
    """The collections that are open in one thread; what others look at at the same time is none of its business."""

    def __init__(self) -> None:
        self.open: list[dict[str, Fingerprint]] = []
        self.memory: Memory | None = None


_notes = _Notes()


@contextmanager
def recording(memory: Memory | None = None) -> Iterator[dict[str, Fingerprint]]:
    """Collect what this thread looks at inside the block, by absolute path.

    With a `memory`, `once` looks at things once for all blocks that have the same one.
    """
    noted: dict[str, Fingerprint] = {}
    before = _notes.memory
    _notes.open.append(noted)
    _notes.memory = before if memory is None else memory
    try:
        yield noted
    finally:
        _notes.open.pop()
        _notes.memory = before


def once(find: Callable[P, T], *about: P.args, **more: P.kwargs) -> T:
    """Return what `find` finds out about something, which it looks at anew only where no run remembers it."""
    memory = _notes.memory
    if memory is None:
        return find(*about, **more)
    key = (find, *about, *more.items())
    known = memory.get(key)
    if known is None:
        with recording() as noted:
            known = memory[key] = noted, find(*about, **more)
    else:
        for other in _notes.open:
            other.update(known[0])
    return known[1]


def look(path: Path | str) -> Fingerprint:
    """Return what the file or folder at `path` looks like now."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        found = None
    else:
        found = (status.st_mtime_ns, status.st_size)
    if _notes.open:
        place = os.path.abspath(path)
        for noted in _notes.open:
            noted.setdefault(place, found)
    return found


def is_file(path: Path | str) -> bool:
    """Return whether there is a regular file at `path`."""
    look(path)
    try:
        return os.path.isfile(path)
    except ValueError:
        return False


def exists(path: Path | str) -> bool:
    """Return whether there is anything at `path`."""
    return look(path) is not None


def names_below(folder: Path, name: str, most: int) -> frozenset[str]:
    """Return the names of what is in the folder that `name`, a relative path, is seen from `folder`.

    None where it isn't below `folder`, a link is on the way there, there is none, or more than `most` are in it.
    """
    path = folder / name
    if name.startswith("/") or ".." in name or look(path) is None or behind_link(path, folder):
        return frozenset()
    try:
        with os.scandir(path) as found:
            names = frozenset(each.name for each in islice(found, most + 1))
    except OSError:
        return frozenset()
    return names if len(names) <= most else frozenset()


def is_taken(path: Path | str) -> bool:
    """Return whether no file can be made at `path`, since something is there, be it a link to nothing."""
    return look(path) is not None or is_link(os.fspath(path))


def content(path: Path | str, limit: int, *, links: bool) -> bytes | None:
    """Return the bytes of the regular file at `path`; `None` where there is none, or one larger than `limit` bytes.

    `links` tells whether a link is followed: only what the user installed is read through one.
    """
    look(path)
    try:
        return small_file.read(path, limit, links=links)
    except OSError:
        return None


def content_below(folder: Path, name: str, limit: int) -> bytes | None:
    """Return the bytes of the file that `name`, a relative path, is seen from `folder`.

    `None` where it isn't below `folder`, a link is on the way there, there is none, or it is larger than `limit` bytes.
    """
    if name.startswith("/") or ".." in name or "\0" in name:
        return None
    path = folder / name
    return content(path, limit, links=False) if is_file(path) and not behind_link(path, folder) else None
