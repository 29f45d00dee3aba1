"""Replaces files at once: whoever reads one sees the old content or the new, also when we are killed in between."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from npu_lsp.checking.loading import State, state_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.small_file import read

TEMPORARY = ".npu-lsp-tmp"
"""The suffix of files that are being written. One that is left over comes from a run that was killed."""
_ABANDONED = 60.0
"""Seconds after which a file that is being written counts as left over."""


_NAMES = Text(
    en="has more than one name (hard links), and only one of them would get the new content",
    zh="该文件有多个硬链接，替换后只有其中一个会更新",
)
_LOST = Text(en="would lose its extended attribute {name}", zh="会丢失扩展属性 {name}")
_TEMPORARY = re.compile(rf"\..{{1,100}}\.[0-9a-f]{{12}}{re.escape(TEMPORARY)}", re.DOTALL)


class ChangedError(Exception):
    """The file was changed by someone else after it was read."""


class KeptError(Exception):
    """A file that is left as it is, since replacing it would take something from it."""

    def __init__(self, told: Text) -> None:
        super().__init__(told.en)
        self.told = told


def replace(path: str, data: bytes, expected: State | None, *, links: bool = False) -> None:
    """Put `data` in place of the content of the file at `path`, as `replacing` does."""
    with replacing(path, data, expected, links=links) as finish:
        finish()


class LostError(Exception):
    """An extended attribute that the new file can't be given; the message is its name."""


def take_over(path: str, status: os.stat_result, handle: int) -> None:
    """Give the file open at `handle` what the one at `path` has, whose state is `status`; raise `LostError`."""
    if not hasattr(os, "fchmod"):
        return
    mode = stat.S_IMODE(status.st_mode)
    if not _own(handle, status):
        # With another owner or group these two let others act as somebody else than before.
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    if hasattr(os, "listxattr"):
        _attributes(path, handle)
    os.fchmod(handle, mode)


def _own(handle: int, status: os.stat_result) -> bool:
    """Set owner and group as far as we may; tell whether both are as they were."""
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) == (status.st_uid, status.st_gid):
        return True
    try:
        os.fchown(handle, status.st_uid, status.st_gid)
    except OSError:
        with suppress(OSError):
            os.fchown(handle, -1, status.st_gid)
        return False
    return True


def _attributes(path: str, handle: int) -> None:
    wanted = {name: os.getxattr(path, name, follow_symlinks=False) for name in _names(path)}
    # A new file may have some from its folder.
    present = {name: os.getxattr(handle, name) for name in _names(handle)}
    for name in wanted.keys() | present.keys():
        try:
            if name not in wanted:
                os.removexattr(handle, name)
            elif present.get(name) != wanted[name]:
                os.setxattr(handle, name, wanted[name])
        except OSError as error:
            raise LostError(name) from error


def _names(file: str | int) -> list[str]:
    try:
        return os.listxattr(file) if isinstance(file, int) else os.listxattr(file, follow_symlinks=False)
    except OSError:
        # The file system has none.
        return []


@contextmanager
def replacing(path: str, data: bytes, expected: State | None, *, links: bool) -> Iterator[Callable[[], None]]:
    """Give a function that puts `data` in place of the content of the file at `path`; all that can be done before is done.

    Mode, owner and extended attributes stay. With `links`, a link stays a link and the file that it leads to gets the
    content; without, a link is not what was read. Raises `KeptError` where the file would lose something, `ChangedError`
    when it is not as `expected` any more, and `OSError` where it can't be written.
    """
    real = os.path.realpath(path) if links else path
    status = os.lstat(real)
    if not stat.S_ISREG(status.st_mode):
        raise ChangedError(path)
    if status.st_nlink > 1:
        # Written in place they would all have the new content, but half of it to whoever reads or stops us meanwhile.
        raise KeptError(_NAMES)
    if not os.access(real, os.W_OK):
        # Replacing would work, since only the folder is changed, but whoever took the right away meant something by it.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    with _beside(real) as temporary:
        try:
            _write(temporary, data, real, status)
        except LostError as error:
            raise KeptError(Text(_LOST.en.format(name=error), _LOST.zh.format(name=error))) from error
        yield lambda: _take_place(temporary, real, expected)


def _take_place(temporary: str, path: str, expected: State | None) -> None:
    now = os.lstat(path)
    if not stat.S_ISREG(now.st_mode) or (expected is not None and state_of(now) != expected):
        raise ChangedError(path)
    os.replace(temporary, path)


def create(path: str, data: bytes) -> bool:
    """Make a file at `path` with `data`, and tell whether it is new: one that is there with the same content is fine.

    Raises `FileExistsError` when there is another one, and `OSError` where it can't be written.
    """
    with _beside(path) as temporary:
        _write(temporary, data)
        try:
            # A hard link, unlike a renaming, never replaces a file.
            os.link(temporary, path)
        except FileExistsError:
            if not _holds(path, data):
                raise
            return False
        except OSError:
            # No hard links on this file system.
            with open(path, "xb") as file:
                file.write(data)
    return True


def _holds(path: str, data: bytes) -> bool:
    with suppress(OSError):
        return read(path, len(data), links=False) == data
    return False


def replace_or_create(path: str, data: bytes) -> None:
    """Put a file with `data` at `path`, in place of one that may be there."""
    with _beside(path) as temporary:
        _write(temporary, data)
        os.replace(temporary, path)


def tidy(folder: str) -> None:
    """Remove what runs that were killed left in `folder`."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > _ABANDONED:
                        os.unlink(entry.path)


@contextmanager
def _beside(path: str) -> Iterator[str]:
    """Give the path of a file beside `path` that isn't there yet, and see to it that it isn't there afterwards.

    It has its name before it is made: a signal may come as soon as it is there.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name[:100]}.{os.urandom(6).hex()}{TEMPORARY}")
    try:
        yield temporary
    finally:
        # Nothing is there once it has taken another one's place.
        with suppress(OSError):
            os.unlink(temporary)


def _write(temporary: str, data: bytes, path: str = "", like: os.stat_result | None = None) -> None:
    """Write `data` into a new file with all that the one at `path` has besides, whose state is `like`; raises `LostError`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666 if like is None else 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if like is not None:
            take_over(path, like, file.fileno())
        os.fsync(file.fileno())
