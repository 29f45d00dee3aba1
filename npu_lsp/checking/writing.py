"""Replaces files at once: whoever reads one sees the old content or the new, also when we are killed in between."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress

from npu_lsp.checking.loading import State, state_of
from npu_lsp.small_file import read

TEMPORARY = ".npu-lsp-tmp"
"""The suffix of files that are being written. One that is left over comes from a run that was killed."""
_ABANDONED = 60.0
"""Seconds after which a file that is being written counts as left over."""


class ChangedError(Exception):
    """The file was changed by someone else after it was read."""


def replace(path: str, data: bytes, expected: State | None) -> None:
    """Put `data` in place of the content of the file at `path`; its mode and owner stay, a link stays a link.

    Raises `ChangedError` when the file is not as `expected` any more, and `OSError` where it can't be written.
    """
    real = os.path.realpath(path)
    status = os.stat(real)
    if not os.access(real, os.W_OK):
        # Replacing would work, since only the folder is changed, but whoever took the right away meant something by it.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    temporary = _written(real, data, status)
    try:
        if expected is not None and state_of(os.stat(real)) != expected:
            raise ChangedError(path)
        os.replace(temporary, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def create(path: str, data: bytes) -> None:
    """Make a file at `path` with `data`. A file that is there with the same content is fine.

    Raises `FileExistsError` when there is another one, and `OSError` where it can't be written.
    """
    temporary = _written(path, data, None)
    try:
        # A hard link, unlike a renaming, never replaces a file.
        os.link(temporary, path)
    except FileExistsError:
        if not _holds(path, data):
            raise
    except OSError:
        # No hard links on this file system.
        with open(path, "xb") as file:
            file.write(data)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _holds(path: str, data: bytes) -> bool:
    with suppress(OSError):
        return read(path, len(data)) == data
    return False


def replace_or_create(path: str, data: bytes) -> None:
    """Put a file with `data` at `path`, in place of one that may be there."""
    temporary = _written(path, data, None)
    try:
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def tidy(folder: str) -> None:
    """Remove what runs that were killed left in `folder`."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(TEMPORARY) and entry.name.startswith("."):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED:
                        os.unlink(entry.path)


def _written(path: str, data: bytes, like: os.stat_result | None) -> str:
    """Write `data` into a new file beside `path` with the mode and owner of `like`; return its path."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name[:100]}.{os.urandom(6).hex()}{TEMPORARY}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, 0o666 if like is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if like is not None and hasattr(os, "fchmod"):
                if (like.st_uid, like.st_gid) != (os.getuid(), os.getgid()):
                    with suppress(OSError):
                        os.fchown(file.fileno(), like.st_uid, like.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary
