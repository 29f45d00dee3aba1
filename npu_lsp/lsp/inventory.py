"""What the files of a workspace set, as far as somebody has looked: by file, with what the file looked like then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.text.dependencies import Fingerprint


class ListedUse(NamedTuple):
    """A setting, or a use of a known variable. Lines and columns are the protocol's: from 0, in the client's unit."""

    key: str
    """The same for all names of one option."""
    name: str
    surface: Surface | None
    """`None`: a use of a variable."""
    sets: bool
    value: str
    """As it is shown."""
    range: tuple[int, int, int, int]


class _Listed(NamedTuple):
    look: Fingerprint
    entries: tuple[ListedUse, ...]


class Inventory:
    """What the files of the workspace set, as they are on the disk; what open documents set is asked of them."""

    def __init__(self) -> None:
        self._files: dict[str, _Listed] = {}
        self.whole = False
        """Whether all files of the workspace were gone through once."""
        self.renewed = 0.0
        """When that was last done, on a clock that never goes back."""

    def __iter__(self) -> Iterator[tuple[str, tuple[ListedUse, ...]]]:
        """Go through the files that have entries, by path."""
        found = [(path, listed.entries) for path, listed in list(self._files.items()) if listed.entries]
        return iter(sorted(found))

    def knows(self, path: str, look: Fingerprint) -> bool:
        """Return whether the file at `path` is what it was when somebody looked."""
        listed = self._files.get(path)
        return listed is not None and listed.look == look

    def take(self, path: str, look: Fingerprint, entries: Sequence[ListedUse]) -> None:
        """Remember what the file at `path` sets while it looks so."""
        self._files[path] = _Listed(look, tuple(entries))

    def keep(self, paths: set[str]) -> None:
        """Forget all files but `paths`."""
        for path in self._files.keys() - paths:
            del self._files[path]

    def forget(self) -> None:
        """Forget everything: other configurations, or another catalog, make something else of the same files."""
        self._files.clear()
        self.whole = False
        self.renewed = 0.0
