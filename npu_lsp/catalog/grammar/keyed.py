"""Values that are keys with values: where in one a cursor stands, and what goes on there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple


class Keyed(NamedTuple):
    """`key:value,key:value`: the keys, with the values of those that take few."""

    values: Mapping[str, tuple[str, ...]]
    """Values by key, both in the order in which they are offered; none where any number or path will do."""
    between: str = ","
    """The signs that stand between two pairs."""

    def piece(self, typed: str) -> TypedPart:
        """Return the pair that is being typed, the last one of `typed`, and the keys of the pairs before it."""
        pairs = re.split(f"[{re.escape(self.between)}]", typed)
        key, colon, value = pairs[-1].partition(":")
        there = frozenset(pair.partition(":")[0].strip() for pair in pairs[:-1])
        return TypedPart(key.strip(), value, there) if colon else TypedPart(None, key, there)

    def rest(self, behind: str) -> int:
        """Return how much of what stands `behind` a cursor belongs to the piece that it is in."""
        found = re.search(f"[:{re.escape(self.between)}]", behind)
        return found.start() if found is not None else len(behind)


class TypedPart(NamedTuple):
    """What is being typed of a value: a key, or the value of `key`."""

    key: str | None
    typed: str
    there: frozenset[str]
    """The keys in front of it."""


def with_values(values: Iterable[str], keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the `keys` in their alphabetical order, each with `values`."""
    return dict.fromkeys(sorted(keys), tuple(values))


@cache
def keyed(grammar: str | None) -> Keyed | None:
    """Return the keys of a grammar; `None` for one that has none, or whose keys nobody lists."""
    from npu_lsp.catalog.grammar import NAMES

    if grammar is None or grammar not in NAMES:
        return None
    every: Mapping[str, Keyed] = getattr(import_module(f"npu_lsp.catalog.grammar.{NAMES[grammar]}"), "KEYED", {})
    return every.get(grammar)
