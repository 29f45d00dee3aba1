"""Functions of `torch.npu`, operators and modules of `torch_npu` by name, and what a mistyped one was meant to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from npu_lsp.catalog.near import NearNames, nearest

_WORD = 5
"""Letters of a word that is no other word with a letter changed."""


@lru_cache(maxsize=1024)
def meant_call(name: str) -> str | None:
    """Return the function or module that a mistyped name was meant to be; `None` for one that is right, or that nobody knows."""
    known, beside = _functions()
    if name in known or name in beside:
        return None
    if name.startswith("npu_"):
        return _meant_operator(name)
    near = nearest(name, known, careful=True)
    # One that reads is no slip of one that sets.
    return None if near is None or {name[:4], near[:4]} == {"get_", "set_"} else near


def _meant_operator(name: str) -> str | None:
    """Return the operator whose name differs in one long word: a new one may differ from those that are known in a short one."""
    known = _operators()
    near = None if name in known[0] else known[1].nearest(name, careful=True)
    if near is None or near.count("_") != name.count("_"):
        return None
    differing = [pair for pair in zip(name.split("_"), near.split("_"), strict=True) if pair[0] != pair[1]]
    return near if len(differing) == 1 and min(map(len, differing[0])) >= _WORD else None


@lru_cache(maxsize=1)
def _operators() -> tuple[frozenset[str], NearNames]:
    names = frozenset(f"npu_{each}" for each in _facts()["operators"])
    return names, NearNames(names)


@lru_cache(maxsize=1)
def _functions() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(_facts()["listed"]), frozenset(_facts()["close"])


def _facts() -> Mapping[str, Sequence[str]]:
    from npu_lsp.catalog.load import load

    return load().plain("torch_calls")
