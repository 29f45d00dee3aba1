"""Keys inside a value, of which the tool knows a few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from npu_lsp.catalog.grammar.parts import Part, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.near import Known, distance


def mistyped(text: str, keys: frozenset[str], *, certain: bool) -> Iterator[Problem]:
    """Yield the keys of `key:value,key:value` that are one of `keys` with a slip.

    Other unknown keys may have come with a later release. `certain`: the tool rejects what it doesn't know.
    """
    for key in _keys(text):
        if not key.text or key.text in keys:
            continue
        near = _known(keys).nearest(key.text)
        if near is not None and distance(key.text.casefold(), near.casefold(), 1) is not None:
            yield key.problem(
                f'there is no key "{key.text}", only "{near}"',
                f"不存在键“{key.text}”，应为“{near}”",
                certain=certain,
                instead=near,
            )


def _keys(text: str) -> Iterable[Part]:
    for part in whole(text).lines(","):
        if ":" in part.text:
            yield part.split(":")[0].strip()


@cache
def _known(keys: frozenset[str]) -> Known:
    return Known(keys)
