"""What Git tracks in a tree: the names in its index. An ignore file says nothing of them. Source: https://git-scm.com/docs/gitignore.

The index is read, and Git not asked: that is one file, whatever the size of the tree, where a process costs more than a small run,
Git needn't be installed, and a configuration of the checked repository can name programs that Git runs. It is read only when an
ignore file speaks of something that is there. Format: https://git-scm.com/docs/index-format, versions 2 to 4. An index in two parts
(`core.splitIndex`) is taken as none, and so is one that is damaged.
"""

from __future__ import annotations

import os
import re
import struct
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress

from npu_lsp.text.links import GIT
from npu_lsp.text.small_file import read

_LIMIT = 1 << 28
"""Bytes of an index that counts: some two million files."""
_POINTER_LIMIT = 10_000
_HEAD = struct.Struct(">4sLL")
_EXTENDED = 0x4000
_BEFORE = 42
"""Bytes of an entry before and behind the object's name: the status of the file, and flags."""
_OBJECT_NAMES = (20, 32)
"""Bytes of an object's name: SHA-1, SHA-256."""


class Tracked:
    """The files that one repository tracks; its index is read when it is first asked."""

    __slots__ = ("_names", "_root")

    def __init__(self, root: str) -> None:
        """Take the absolute path of the work tree."""
        self._root = root
        self._names: Sequence[bytes] | None = None

    def has(self, absolute: str, *, folder: bool) -> bool:
        """Tell whether the file is tracked, or anything in the folder, or a repository that the folder is."""
        if self._names is None:
            self._names = _names(self._root)
        if not self._names:
            return False
        path = absolute[len(self._root.rstrip(os.sep)) + 1 :].replace(os.sep, "/").encode("utf-8", "surrogateescape")
        return self._begins(path + b"\0") or (folder and self._begins(path + b"/"))

    def _begins(self, start: bytes) -> bool:
        names = self._names or ()
        at = bisect_left(names, start)
        return at < len(names) and names[at].startswith(start)


def git_folder(root: str) -> str:
    """Return the folder with the index of the work tree at `root`: of one beside another, or inside one, `.git` is a file that names it."""
    path = os.path.join(root, GIT)
    return _pointer(path, b"gitdir: ", root) or path


def common_folder(root: str) -> str:
    """Return the folder with what all work trees of the repository at `root` have in common."""
    folder = git_folder(root)
    return _pointer(os.path.join(folder, "commondir"), b"", folder) or folder


def _pointer(file: str, start: bytes, above: str) -> str | None:
    with suppress(OSError, ValueError):
        data = read(file, _POINTER_LIMIT)
        if data.startswith(start):
            return os.path.normpath(os.path.join(above, os.fsdecode(data.removeprefix(start).rstrip(b"\r\n"))))
    return None


def _names(root: str) -> Sequence[bytes]:
    """Return the names of what is tracked, sorted, each with one NUL or more behind it."""
    try:
        return names_in(read(os.path.join(git_folder(root), "index"), _LIMIT))
    except (OSError, ValueError):
        return ()


def names_in(data: bytes) -> Sequence[bytes]:
    """Return the names in an index as they stand there: sorted, each with one NUL or more behind it; none where it is damaged."""
    if len(data) < _HEAD.size:
        return ()
    signature, version, count = _HEAD.unpack_from(data)
    if signature != b"DIRC" or not 2 <= version <= 4:
        return ()
    for size in _OBJECT_NAMES:
        # The entries of version 2 all have one form, which a pattern finds in a tenth of the time.
        names = _alike(data, count, size + _BEFORE) if version == 2 else _one_by_one(data, version, count, size)
        if names is not None:
            return names
    return ()


def _alike(data: bytes, count: int, head: int) -> Sequence[bytes] | None:
    names = _entries(head).findall(data, _HEAD.size)[:count]
    return names if len(names) == count and all(names) else None


def _entries(head: int) -> re.Pattern[bytes]:
    """Return what matches an entry whose name stands behind `head` bytes; what is none takes all the rest of the text with it.

    1 to 8 NULs fill an entry up to a multiple of 8 bytes, and the next one may begin with more of them.
    """
    ends = (rf"[^\0]{{{more}}}\0{{{8 - (head + more) % 8}}}" for more in range(8))
    return re.compile(rf"(?s:.{{{head}}}((?:[^\0]{{8}})*(?:{'|'.join(ends)}))|.+)".encode())


def _one_by_one(data: bytes, version: int, count: int, size: int) -> Sequence[bytes] | None:
    names: list[bytes] = []
    name = b""
    at = _HEAD.size
    for _ in range(count):
        start = at
        at += size + _BEFORE
        if at >= len(data):
            return None
        if data[at - 2] << 8 & _EXTENDED:
            at += 2
        kept = 0
        if version == 4:
            dropped, at = _number(data, at)
            kept = len(name) - dropped
        end = data.find(b"\0", at)
        if end <= at or kept < 0:
            return None
        name = name[:kept] + data[at:end]
        names.append(name + b"\0")
        at = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8
    return names


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of version 4 and where it ends; one that is out of all bounds where it has no end."""
    number = data[at] & 0x7F
    for place in range(at, min(at + 5, len(data) - 1)):
        if not data[place] & 0x80:
            return number, place + 1
        number = (number + 1 << 7) | (data[place + 1] & 0x7F)
    return _LIMIT, at
