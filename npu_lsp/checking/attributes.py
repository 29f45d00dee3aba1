"""Gives a file that takes the place of another one what that one has besides its content: owner, mode, extended attributes.

Extended attributes hold lists of who may do what, labels, and marks that users set. Python reads them on Linux only.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress


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
