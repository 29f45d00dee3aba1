"""`MaxCnt:5,HoldTime:5000` (hccl: `docs/zh/user_guide/hccl_env/HCCL_OP_RETRY_PARAMS.md`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar import colon_pairs
from npu_lsp.catalog.grammar.pair_keys import mistyped
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_KEYS = frozenset(
    {
        "MaxCnt",
        "HoldTime",
        "IntervalTime",
    }
)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no key with a value, and mistyped keys."""
    yield from colon_pairs.check(text, surface)
    yield from mistyped(text, _KEYS, certain=False)
