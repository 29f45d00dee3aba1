"""What Git ignores in a tree: `.gitignore` files from the repository's root down, and its `info/exclude`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.text.globs import Globs
from npu_lsp.text.small_file import read

_LIMIT = 1_000_000
"""Bytes of an ignore file that counts."""


class _Layer(NamedTuple):
    root: int
    """How many characters of an absolute path to cut off, the separator included."""
    globs: Globs


class Ignores:
    """The ignore files that speak of one folder; the deepest one has the first word."""

    __slots__ = ("_layers",)

    def __init__(self, layers: tuple[_Layer, ...] = ()) -> None:
        self._layers = layers

    def __bool__(self) -> bool:
        return bool(self._layers)

    @classmethod
    def above(cls, folder: str) -> Ignores:
        """Return what the folders above `folder`, up to the repository's root, say; its own file isn't in it."""
        above: list[str] = []
        at = folder
        while not os.path.exists(os.path.join(at, ".git")):
            parent = os.path.dirname(at)
            if parent == at:
                return cls()
            above.append(parent)
            at = parent
        found = cls()
        found = found._with(at, os.path.join(at, ".git", "info", "exclude"), links=True)
        for each in reversed(above):
            found = found.below(each)
        return found

    def below(self, folder: str) -> Ignores:
        """Return what holds directly in `folder`, whose own file comes on top."""
        # Git reads none behind a link either. Source: git:Documentation/RelNotes/2.32.0.txt.
        return self._with(folder, os.path.join(folder, ".gitignore"), links=False)

    def told(self, above: str, names: Sequence[str], folder: bool) -> dict[str, bool]:
        """Return True for those of the `names` that Git ignores, False for those that it takes back, of others nothing.

        They are those of folders, or of files, in the folder `above`, an absolute path and a separator.
        """
        told: dict[str, bool] = {}
        for layer in self._layers:
            path = above[layer.root :]
            told.update(layer.globs.told(path.replace(os.sep, "/") if os.sep != "/" else path, names, folder))
        return told

    def ignored(self, absolute: str, name: str, folder: bool) -> bool:
        """Tell whether Git ignores the file or folder at `absolute`, whose last part is `name`."""
        return self.told(absolute.removesuffix(name), (name,), folder).get(name, False)

    def _with(self, folder: str, file: str, *, links: bool) -> Ignores:
        try:
            found = _globs(read(file, _LIMIT, links=links))
        except OSError:
            return self
        return Ignores((*self._layers, _Layer(len(folder.rstrip(os.sep)) + 1, found))) if found else self


@lru_cache(maxsize=64)  # most folders of a tree that have such a file have the same
def _globs(data: bytes) -> Globs:
    return Globs(data.decode("utf-8", "surrogateescape").split("\n"))
