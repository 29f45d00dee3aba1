"""What the operating system says of a file that can't be used, in both languages."""

from __future__ import annotations

import errno
import os

from npu_lsp.text.bilingual import Text

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
