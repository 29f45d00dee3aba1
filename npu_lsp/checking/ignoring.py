"""What Git ignores in a tree: `.gitignore` files from the repository's root down, and its `info/exclude`; not what it tracks, which its index says."""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.text.globs import Globs
from npu_lsp.text.links import GIT
from npu_lsp.text.small_file import read

_INDEX_LIMIT = 1 << 28
"""Bytes of an index that counts: some two million files."""
_LONGEST = 4_096
"""Bytes of a path: in version 4, a few bytes may repeat all of the one before."""
_POINTER_LIMIT = 10_000
_HEAD = struct.Struct(">4sLL")
_EXTENDED = 0x4000
"""Of the flags: two more bytes of them follow."""
_LENGTH = 0xFFF
"""Of the flags: the length of the name, or this."""
_BEFORE = 42
"""Bytes of an entry before and behind the object's name: the status of the file, and flags."""
_OBJECT_NAMES = (20, 32)
"""Bytes of an object's name: SHA-1, SHA-256."""
_EXTENSION = struct.Struct(">4sL")
_SHARED = b"link"
_BITMAP = struct.Struct(">LL")
_WORD = 64
"""Bits of a word of a bitmap."""
_RUN = (1 << 32) - 1


class Tracked:
    """The files that one repository tracks; its index is read when it is first asked."""

    __slots__ = ("_names", "_root")

    def __init__(self, root: str) -> None:
        """Take the absolute path of the work tree."""
        self._root = root
        self._names: Sequence[bytes] | None = None

    def has(self, absolute: str, *, folder: bool) -> bool:
        """Return whether the file is tracked, or anything in the folder, or a repository that the folder is."""
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


def _git_folder(root: str) -> str:
    """Return the folder with the index of the work tree at `root`: of one beside another, or inside one, `.git` is a file that names it."""
    path = os.path.join(root, GIT)
    return _pointer(path, b"gitdir: ", root) or path


def _common_folder(root: str) -> str:
    """Return the folder with what all work trees of the repository at `root` have in common."""
    folder = _git_folder(root)
    return _pointer(os.path.join(folder, "commondir"), b"", folder) or folder


def _pointer(file: str, start: bytes, above: str) -> str | None:
    with suppress(OSError, ValueError):
        data = read(file, _POINTER_LIMIT)
        if data.startswith(start):
            return os.path.normpath(os.path.join(above, os.fsdecode(data.removeprefix(start).rstrip(b"\r\n"))))
    return None


def _names(root: str) -> Sequence[bytes]:
    """Return the names of what is tracked, sorted, each with a NUL behind it."""
    folder = _git_folder(root)

    def shared(name: str) -> bytes:
        return read(os.path.join(folder, name), _INDEX_LIMIT)

    try:
        return names_in(shared("index"), shared)
    except (OSError, ValueError):
        return ()


class _Entries(NamedTuple):
    names: list[bytes]
    """As they stand there, each with a NUL behind it."""
    end: int
    """Where extensions begin."""


def names_in(data: bytes, shared: Callable[[str], bytes] = lambda _: b"") -> Sequence[bytes]:
    """Return the names in an index: sorted, each with a NUL behind it; none where it is damaged.

    `shared` returns the other part of an index in two, a file beside it.
    """
    for size in _OBJECT_NAMES:
        own = _entries(data, size)
        link = _link(data, own.end, size) if own is not None else None
        if own is not None and link is not None:
            return _joined(own.names, link, size, shared) if link else own.names
    return ()


def _link(data: bytes, at: int, size: int) -> bytes | None:
    """Return what an index says of its other part; empty: there is none; `None`: its extensions don't end where its checksum begins."""
    link = b""
    while at + _EXTENSION.size <= len(data) - size:
        name, length = _EXTENSION.unpack_from(data, at)
        at += _EXTENSION.size
        if name == _SHARED:
            link = data[at : at + length]
        at += length
    return link if at == len(data) - size else None


def _joined(own: list[bytes], link: bytes, size: int, shared: Callable[[str], bytes]) -> Sequence[bytes]:
    """Return the names of both parts: a bitmap tells which of the shared ones are gone. An entry that is changed has no name here."""
    names = {name for name in own if name != b"\0"}
    if any(link[:size]):
        base = _entries(shared(f"sharedindex.{link[:size].hex()}"), size)
        if base is None:
            return ()
        gone = set(_set_bits(link[size:], len(base.names)))
        names.update(name for number, name in enumerate(base.names) if number not in gone)
    return sorted(names)


def _set_bits(data: bytes, most: int) -> Iterator[int]:
    """Yield which bits below `most` are set in a bitmap: runs of one bit, each with words behind it that are as they are.

    Format: https://git-scm.com/docs/bitmap-format, appendix A.
    """
    if len(data) < _BITMAP.size:
        return
    words = struct.unpack_from(
        f">{min(_BITMAP.unpack_from(data)[1], (len(data) - _BITMAP.size) // 8)}Q", data, _BITMAP.size
    )
    at = bit = 0
    while at < len(words) and bit < most:
        run, literal = words[at] >> 1 & _RUN, words[at] >> 33
        end = min(most, bit + run * _WORD)
        if words[at] & 1:
            yield from range(bit, end)
        bit = end
        for word in words[at + 1 : at + 1 + literal]:
            yield from (bit + place for place in range(_WORD) if word >> place & 1)
            bit += _WORD
        at += 1 + literal


def _entries(data: bytes, size: int) -> _Entries | None:
    """Return the entries of an index whose objects have names of `size` bytes; `None` where they can't have."""
    if len(data) < _HEAD.size:
        return None
    signature, version, count = _HEAD.unpack_from(data)
    if signature != b"DIRC" or not 2 <= version <= 4:
        return None
    names: list[bytes] = []
    name = b""
    at = _HEAD.size
    for _ in range(count):
        start = at
        at += size + _BEFORE
        if at >= len(data):
            return None
        flags = data[at - 2] << 8 | data[at - 1]
        if flags & _EXTENDED:
            at += 2
        kept = 0
        if version == 4:
            dropped, at = _number(data, at)
            kept = len(name) - dropped
        end = data.find(b"\0", at)
        if kept < 0 or end < 0:
            return None
        name = name[:kept] + data[at:end]
        if len(name) > _LONGEST or min(len(name), _LENGTH) != flags & _LENGTH:
            return None
        names.append(name + b"\0")
        # 1 to 8 NULs fill an entry up to a multiple of 8 bytes.
        at = end + 1 if version == 4 else start + (end - start + 8 & ~7)
    return _Entries(names, at)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of version 4 and where it ends; one that is out of all bounds where it has no end."""
    number = data[at] & 0x7F
    for place in range(at, min(at + 5, len(data) - 1)):
        if not data[place] & 0x80:
            return number, place + 1
        number = (number + 1 << 7) | (data[place + 1] & 0x7F)
    return _INDEX_LIMIT, at


FILE = ".gitignore"
_LIMIT = 1_000_000
"""Bytes of an ignore file that counts."""


class IgnoreLine(NamedTuple):
    """A line of an ignore file."""

    file: str
    """Absolute."""
    number: int
    """1-based."""
    pattern: str


class _Layer(NamedTuple):
    root: int
    """How many characters of an absolute path to cut off, the separator included."""
    globs: Globs
    file: str
    """Where they are from."""
    links: bool
    """Whether that file may be a link."""

    def told(self, above: str, names: Sequence[str], folder: bool) -> dict[str, bool]:
        return self.globs.told(self._path(above), names, folder)

    def line(self, above: str, name: str, folder: bool) -> IgnoreLine | None:
        """Return the line that decides."""
        found = None
        for number, pattern in enumerate(_lines(read(self.file, _LIMIT, links=self.links)), 1):
            if Globs((pattern,)).told(self._path(above), (name,), folder):
                found = IgnoreLine(self.file, number, pattern.strip())
        return found

    def _path(self, above: str) -> str:
        path = above[self.root :]
        return path.replace(os.sep, "/") if os.sep != "/" else path


class Ignores:
    """The ignore files that speak of one folder; the deepest one has the first word."""

    __slots__ = ("_inside", "_layers", "_tracked")

    def __init__(
        self, layers: tuple[_Layer, ...] = (), tracked: Tracked | None = None, *, inside: bool = False
    ) -> None:
        self._layers = layers
        self._tracked = tracked
        self._inside = inside
        """The folder is ignored itself, and so is everything in it that isn't tracked."""

    def __bool__(self) -> bool:
        return bool(self._layers)

    @classmethod
    def above(cls, folder: str) -> Ignores:
        """Return what the folders above `folder`, up to the repository's root, say; its own file isn't in it."""
        above: list[str] = []
        at = folder
        while not os.path.exists(os.path.join(at, GIT)):
            parent = os.path.dirname(at)
            if parent == at:
                return cls()
            above.append(parent)
            at = parent
        found = cls(tracked=Tracked(at))
        found = found._with(at, os.path.join(_common_folder(at), "info", "exclude"), links=True)
        for each in reversed(above):
            found = found.below(each)
        return found

    def below(self, folder: str) -> Ignores:
        """Return what holds directly in `folder`, whose own file comes on top."""
        # Git reads none behind a link either. Source: git:Documentation/RelNotes/2.32.0.txt.
        return self._with(folder, os.path.join(folder, FILE), links=False)

    def inside(self) -> Ignores:
        """Return what holds in a folder that is ignored and has something that is tracked."""
        return Ignores(self._layers, self._tracked, inside=True)

    def ignored_names(self, above: str, names: Sequence[str], folder: bool) -> list[str]:
        """Return those of the `names` that ignore files name, whether or not they are tracked.

        They are those of folders, or of files, in the folder `above`, an absolute path and a separator.
        """
        if self._inside:
            return list(names)
        told: dict[str, bool] = {}
        for layer in self._layers:
            told.update(layer.told(above, names, folder))
        return [name for name, ignored in told.items() if ignored]

    def tracks(self, absolute: str, folder: bool) -> bool:
        """Return whether Git tracks the file, or anything in the folder."""
        return self._tracked is not None and self._tracked.has(absolute, folder=folder)

    def ignored(self, absolute: str, name: str, folder: bool) -> bool:
        """Return whether Git ignores the file or folder at `absolute`, whose last part is `name`."""
        return bool(self.ignored_names(absolute.removesuffix(name), (name,), folder)) and not self.tracks(
            absolute, folder
        )

    def line(self, above: str, name: str, folder: bool) -> IgnoreLine | None:
        """Return the line that has `name` ignored, as `ignored_names` has it; `None` where it is gone by now."""
        for layer in reversed(self._layers):
            if layer.told(above, (name,), folder):
                try:
                    return layer.line(above, name, folder)
                except OSError:
                    return None
        return None

    def _with(self, folder: str, file: str, *, links: bool) -> Ignores:
        try:
            found = _globs(read(file, _LIMIT, links=links))
        except OSError:
            return self
        if not found:
            return self
        layer = _Layer(len(folder.rstrip(os.sep)) + 1, found, file, links)
        return Ignores((*self._layers, layer), self._tracked, inside=self._inside)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").split("\n")


@lru_cache(maxsize=64)  # most folders of a tree that have such a file have the same
def _globs(data: bytes) -> Globs:
    return Globs(_lines(data))
