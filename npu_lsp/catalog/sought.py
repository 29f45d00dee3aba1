"""What to look for in texts that may name a variable that is known, or one that is close to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from npu_lsp.catalog.spelling import Spelling

_SHARED = 4
"""Known names that begin alike, so that others that do are worth reading, too."""
_MOST_WORDS = 3
"""Words that a beginning has at most."""


class Sought(NamedTuple):
    """What to look for in a text that may have one of the known names, or one that is close to it."""

    prefixes: tuple[str, ...]
    """What several known names begin with, whole words, and no other tool's names do."""
    stems: tuple[str, ...]
    """Texts of which each known name, each that begins with a prefix, and each that `guess` says something about has one."""


def sought(names: Collection[str], known: Spelling) -> Sought:
    """Return what to look for; `known` says what is close to the `names`."""
    prefixes = _prefixes(names, known.heads)
    parts = known.parts
    short = (name for name in names if not known.has_parts(name) and not name.startswith(prefixes))
    return Sought(
        prefixes, tuple(sorted({*prefixes, *parts, *(name for name in short if parts.isdisjoint(_texts_in(name)))}))
    )


def _prefixes(names: Collection[str], heads: frozenset[str]) -> tuple[str, ...]:
    found: list[str] = []
    split = [name.split("_") for name in names]
    for words in range(1, _MOST_WORDS + 1):
        count = Counter("_".join(name[:words]) + "_" for name in split if len(name) > words)
        common = {each for each, times in count.items() if times >= _SHARED} - heads
        found += (each for each in common if not each.startswith(tuple(found)))
    return tuple(sorted(found))


def _texts_in(name: str) -> Iterator[str]:
    """Yield all that a name has in it: it is short, and there are thousands of parts."""
    size = len(name)
    return (name[start:end] for start in range(size) for end in range(start + 1, size + 1))
