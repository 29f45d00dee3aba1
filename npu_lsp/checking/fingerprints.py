"""What remembered results rest on besides their own files, folder by folder: most rest on the same few."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from npu_lsp.text.dependencies import Fingerprint

_Group = list[Any]
"""A folder, the names that weren't in it, with `/` between them, and what was there by name."""


class Fingerprints:
    """Groups of looks; a result has the numbers of its groups."""

    def __init__(self, groups: list[_Group], listed: Mapping[str, Collection[str]]) -> None:
        """Take the groups that earlier runs made, and the names of what is in the folders that this run has listed.

        Raises `TypeError` or `ValueError` where groups are none.
        """
        for folder, absent, there in groups:
            if not (isinstance(folder, str) and isinstance(absent, str) and isinstance(there, dict)):
                raise TypeError
        self._groups = groups
        self._listed = listed
        self._numbers: dict[tuple[Any, ...], int] = {}
        """Of the groups, made when there is a new result."""
        self._known: dict[frozenset[tuple[str, Fingerprint]], list[int]] = {}
        """What results rest on, with the numbers of its groups."""
        self._as_before: dict[int, bool] = {}

    def are_as_before(self, numbers: Iterable[int], *, anew: bool) -> bool:
        """Return whether what groups say was there is there.

        Each is looked at once, or `anew`. What a folder had not, and has not where this run lists it, isn't asked for.
        """
        if anew:
            self._as_before.clear()
        as_before = self._as_before
        for number in numbers:
            known = as_before.get(number)
            if known is None:
                known = as_before[number] = self._is_as_before(number, anew)
            if not known:
                return False
        return True

    def paths(self) -> Iterator[str]:
        """Yield the absolute paths of what was found as it was before."""
        for number, same in self._as_before.items():
            if same:
                folder, absent, there = self._groups[number]
                above = os.path.join(folder, "")
                yield from (above + name for name in (*_names(absent), *there))

    def numbers(self, looked_at: Mapping[str, Fingerprint]) -> list[int]:
        """Return the numbers of the groups that hold what was looked at, new ones where these are new."""
        key = frozenset(looked_at.items())
        known = self._known.get(key)
        if known is None:
            if not self._numbers:
                self._numbers = {_key(group): number for number, group in enumerate(self._groups)}
            folders: dict[str, dict[str, Fingerprint]] = {}
            for path, look in looked_at.items():
                folder, name = os.path.split(path)
                folders.setdefault(folder, {})[name] = look
            known = self._known[key] = [self._number(folder, looks) for folder, looks in folders.items()]
        return known

    def in_use(self, rows: Iterable[list[int]]) -> list[_Group]:
        """Return the groups whose numbers are in `rows`, which get the numbers that these have from now on."""
        numbers: dict[int, int] = {}
        for row in rows:
            row[:] = [numbers.setdefault(number, len(numbers)) for number in row]
        return [self._groups[number] for number in numbers]

    def _number(self, folder: str, looks: Mapping[str, Fingerprint]) -> int:
        absent = "/".join(sorted(name for name, look in looks.items() if look is None))
        group = [folder, absent, {name: list(look) for name, look in sorted(looks.items()) if look is not None}]
        number = self._numbers.setdefault(_key(group), len(self._groups))
        if number == len(self._groups):
            self._groups.append(group)
        return number

    def _is_as_before(self, number: int, anew: bool) -> bool:
        folder, absent, there = self._groups[number]
        listed = None if anew else self._listed.get(folder)
        # Some file systems tell no small letters from large ones, and of other letters there may be more than one way to write them.
        if not (listed and absent.isascii() and _names(absent.lower()).isdisjoint(map(str.lower, listed))):
            there = {**there, **dict.fromkeys(_names(absent))}
        return all(look_at(os.path.join(folder, name)) == look for name, look in there.items())


def look_at(path: str) -> list[int] | None:
    """Return when what is at `path` was modified, in ns, and its size; `None` where there is nothing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return [status.st_mtime_ns, status.st_size]


@lru_cache(maxsize=256)  # most folders lack the same few
def _names(joined: str) -> frozenset[str]:
    return frozenset(joined.split("/")) if joined else frozenset()


def _key(group: _Group) -> tuple[Any, ...]:
    folder, absent, there = group
    return folder, absent, *((name, *look) for name, look in there.items())
