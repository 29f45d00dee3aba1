"""Reads a file's bytes without waiting for anything: no pipe, no device, nothing larger than allowed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.text.bilingual import Text
from npu_lsp.text.small_file import opened, reason

if TYPE_CHECKING:
    from mmap import mmap

_CHUNK = 1 << 20
_FOLDER = Text("a folder", "是目录")
_NO_FILE = Text("not a regular file", "不是普通文件")


class UnreadableError(Exception):
    """A file that can't be read, and why."""

    def __init__(self, said: Text) -> None:
        super().__init__(said.en)
        self.said = said


class TooLargeError(Exception):
    """A file that is larger than allowed, `size` bytes at least."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class State(NamedTuple):
    """What a file looks like from outside; a file that changes changes this."""

    modified: int
    """In ns since the epoch."""
    changed: int
    """When something about the file changed last, in ns; a program can't set it."""
    size: int
    inode: int
    """Which file it is: another one that comes in its place has another number."""

    @property
    def word(self) -> str:
        """The state as one word, as `word_at` returns it and caches keep it."""
        return " ".join(map(str, self))


def state_of(status: os.stat_result) -> State:
    """Return the times, size and inode in `status` by which a changed file is known."""
    return State(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def word_at(path: str) -> str:
    """Return the state of the file at `path` in one word; empty where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    # Of each file of a tree: without making a state of it, which takes three times as long.
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"


def load(path: str, limit: int, *, links: bool = True) -> tuple[bytes, State]:
    """Return the bytes of the file at `path` and its state; raise `UnreadableError`, or `TooLargeError` above `limit` bytes.

    Without `links`, a link at `path` is no file, wherever it leads.
    """
    try:
        handle = opened(path, links=links)
    except (OSError, ValueError) as error:
        raise UnreadableError(reason(error)) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(_FOLDER if stat.S_ISDIR(status.st_mode) else _NO_FILE)
        if status.st_size > limit:
            raise TooLargeError(status.st_size)
        return _all(handle, status.st_size, limit), state_of(status)
    except OSError as error:
        raise UnreadableError(reason(error)) from error
    finally:
        os.close(handle)


def digest(data: bytes) -> str:
    """Return a word that stands for the content `data`."""
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()


@contextmanager
def mapped(path: str) -> Iterator[mmap]:
    """Give the bytes of a large file without reading them into memory; raise `UnreadableError`, also where it is a link."""
    from mmap import ACCESS_READ, mmap

    try:
        with open(opened(path, links=False), "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            yield data
    except (OSError, ValueError) as error:
        raise UnreadableError(reason(error)) from error


def _all(handle: int, size: int, limit: int) -> bytes:
    """Return everything up to the end; the size is a hint, as the file may grow or tell none."""
    data = os.read(handle, size + 1)
    if len(data) == size:
        return data
    parts = [data]
    total = len(data)
    while parts[-1]:
        if total > limit:
            raise TooLargeError(total)
        parts.append(os.read(handle, _CHUNK))
        total += len(parts[-1])
    return b"".join(parts)
