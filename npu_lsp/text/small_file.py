"""Reads small regular files and nothing else: no pipe, no device, nothing that keeps its reader waiting or never ends.

For what others may put where we look: a configuration, what it names, an ignore file, a file that a setting names.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from npu_lsp.text.bilingual import Text

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


_CHINESE = {
    errno.ENOENT: "文件或目录不存在",
    errno.EACCES: "权限不足",
    errno.EPERM: "不允许的操作",
    errno.EISDIR: "是目录",
    errno.ENOTDIR: "路径中有一部分不是目录",
    errno.EEXIST: "文件已存在",
    errno.ELOOP: "是符号链接，或符号链接层数过多",
    errno.ENAMETOOLONG: "文件名过长",
    errno.ENOSPC: "磁盘空间不足",
    errno.EFBIG: "文件过大",
    errno.EROFS: "文件系统只读",
    errno.EIO: "输入输出错误",
    errno.EMFILE: "打开的文件过多",
    errno.EADDRINUSE: "地址已被占用",
    errno.EADDRNOTAVAIL: "本机没有该地址",
}
_OURS = {
    "is no path": "不是有效的路径",
    "is not a file": "不是普通文件",
    "is a link; name the file that it leads to": "是符号链接，请指定其指向的文件",
}
"""What we say ourselves in the system's place."""


def reason(error: Exception) -> Text:
    """Return what an error says, without the file that it is about: in Chinese, too, where it is a common one of the system's."""
    if not isinstance(error, OSError):
        return Text(str(error), str(error))
    said = error.strerror or str(error) or os.strerror(error.errno or 0)
    return Text(said, _OURS.get(said) or _CHINESE.get(error.errno or 0, said))
