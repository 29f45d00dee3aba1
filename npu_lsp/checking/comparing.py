"""The settings that differ between two files, folders or commits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from npu_lsp.checking.inventory import Row

_Key = tuple[str, str, str]


class Difference(NamedTuple):
    """One setting that differs; a side is `None` where it doesn't set the option."""

    path: str
    """Below both folders; empty where two files are compared."""
    surface: str
    option: str
    left: Row | None
    right: Row | None


def differences(left: Iterable[Row], right: Iterable[Row]) -> Iterator[Difference]:
    """Yield what differs, by path, surface and option.

    An option that a file sets several times is compared in the order in which it does.
    """
    one, other = _by_option(left), _by_option(right)
    for key in sorted({*one, *other}):
        ours, theirs = _without_equal(one.get(key, []), other.get(key, []))
        for a, b in zip_longest(ours, theirs):
            yield Difference(*key, a, b)


def _by_option(rows: Iterable[Row]) -> Mapping[_Key, list[Row]]:
    found: dict[_Key, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row[:3]):
        found.setdefault((row.path, row.surface, row.option), []).append(row)
    return found


def _without_equal(left: list[Row], right: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows of both sides without those that the other side has, too."""
    rest = [_value(row) for row in right]
    ours = []
    for row in left:
        if _value(row) in rest:
            rest.remove(_value(row))
        else:
            ours.append(row)
    return ours, _kept(right, rest)


def _kept(rows: list[Row], values: list[tuple[object, ...]]) -> list[Row]:
    kept = []
    for row in reversed(rows):
        if _value(row) in values:
            values.remove(_value(row))
            kept.append(row)
    return kept[::-1]


def _value(row: Row) -> tuple[object, ...]:
    return (row.known, row.slot, repr(row.value))
