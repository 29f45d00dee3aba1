"""The folder that a cache lives in: made by us, marked as ours, and given up where anybody else's file is in it.

Whoever writes a configuration says where the cache is, and a name in a tree can be a link. So nothing is written or removed
before the folder has shown that it is ours: it has our mark, and every file in it a name that only we give.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from npu_lsp.checking.writing import TEMPORARY, replace_or_create
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.links import behind_link_below, is_link
from npu_lsp.text.small_file import read

MARK = "CACHEDIR.TAG"
"""The name that programs for backups know. Source: https://bford.info/cachedir/."""
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55\n"
_LINE = b"# This is the cache of npu-lsp; everything in here can be removed.\n"
_IGNORE = ".gitignore"
_IGNORED = b"# Made by npu-lsp.\n*\n"
_CACHE = r"[0-9a-f]{24}\.json"
_OURS = re.compile(rf"{_CACHE}|\.(?:{_CACHE}|\.gitignore|CACHEDIR\.TAG)\.[0-9a-f]{{12}}{re.escape(TEMPORARY)}")
_STALE = 30 * 86400
"""Seconds after which a file of another configuration or version goes."""

_LINK = Text(
    en="{path}: a link is on the way to this cache folder; nothing is remembered",
    zh="{path}：缓存目录的路径中包含链接，不使用缓存",
)
_NO_FOLDER = Text(
    en="{path}: the cache must be a folder; nothing is remembered", zh="{path}：缓存路径不是目录，不使用缓存"
)
_NOT_OURS = Text(
    en="{path}: this folder was not made for a cache: it holds {name!r}; nothing is remembered. Name a new or an empty one as `cache-dir`",
    zh="{path}：该目录包含 {name!r}，不是缓存目录，不使用缓存；请将 `cache-dir` 设为新目录或空目录",
)


class RefusedError(Exception):
    """A folder that is no place for a cache."""

    def __init__(self, text: Text, path: str, name: str = "") -> None:
        super().__init__(path)
        self.told = Text(text.en.format(path=path, name=name), text.zh.format(path=path, name=name))


def verify(folder: str, root: str) -> None:
    """Raise `RefusedError` where `folder`, which a project at `root` has its cache in, is somebody else's."""
    if behind_link_below(folder, root):
        raise RefusedError(_LINK, folder)
    try:
        with os.scandir(folder) as entries:
            names = {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}
    except FileNotFoundError:
        return
    except NotADirectoryError as error:
        raise RefusedError(_NO_FOLDER, folder) from error
    except (OSError, ValueError):
        # Nothing can be read, and nothing will be written.
        return
    marked = names.get(MARK, False) and _is_marked(folder)
    for name, is_file in sorted(names.items()):
        if not (is_file and _is_ours(folder, name, marked)):
            raise RefusedError(_NOT_OURS, folder, name)


def _is_ours(folder: str, name: str, marked: bool) -> bool:
    """Return whether a file is ours: without a mark that is what another run writes right now, or wrote before it was killed."""
    if _OURS.fullmatch(name):
        return marked or name.endswith(TEMPORARY)
    return (name == _IGNORE and (marked or _begins(folder, name, _IGNORED))) or (marked and name == MARK)


def make_ready(folder: str, root: str) -> None:
    """Make `folder`, or mark it where it is empty; raise `RefusedError`, or `OSError` where that isn't possible."""
    verify(folder, root)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with suppress(FileExistsError):
        os.mkdir(folder)
        replace_or_create(os.path.join(folder, _IGNORE), _IGNORED)
    if not _is_marked(folder):
        replace_or_create(os.path.join(folder, MARK), _SIGNATURE + _LINE)


def tidy(folder: str, kept: str) -> None:
    """Remove from a folder that is ours the caches that no run has used for long, all but the file named `kept`."""
    limit = time.time() - _STALE
    with os.scandir(folder) as entries:
        for entry in entries:
            if _OURS.fullmatch(entry.name) and entry.name != kept and not is_link(entry.path):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < limit:
                        os.unlink(entry.path)


def _is_marked(folder: str) -> bool:
    return _begins(folder, MARK, _SIGNATURE + _LINE)


def _begins(folder: str, name: str, start: bytes) -> bool:
    try:
        return read(os.path.join(folder, name), 10_000, links=False).startswith(start)
    except OSError:
        return False


def remove(folder: str, root: str) -> bool:
    """Remove a cache, and tell whether there was one; raise `RefusedError` for a folder that isn't ours, or `OSError`."""
    verify(folder, root)
    if not _is_marked(folder):
        return False
    # The mark goes last: what is left when we are killed in between is still known for ours.
    names = sorted(os.listdir(folder), key=lambda name: (name == MARK, name))
    for name in names:
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
    return True
