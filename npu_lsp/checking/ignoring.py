"""What Git ignores in a tree: `.gitignore` files from the repository's root down, and its `info/exclude`; not what it tracks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.checking.tracking import Tracked, common_folder
from npu_lsp.text.globs import Globs
from npu_lsp.text.links import GIT
from npu_lsp.text.small_file import read

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
        found = found._with(at, os.path.join(common_folder(at), "info", "exclude"), links=True)
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
