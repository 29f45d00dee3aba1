"""`enable:true,cooldown:5` (torch: `torch_npu/utils/_step.py`): a key that it does not know is ignored."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar import colon_pairs
from npu_lsp.catalog.grammar.pair_keys import mistyped
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_KEYS = frozenset(
    {
        "enable",
        "with_checksum",
        "cooldown",
        "strikes_num",
        "strikes_window",
        "checksum_cooldown",
        "upper_thresh1",
        "upper_thresh2",
        "grad_sample_interval",
    }
)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no key with a value, and mistyped keys."""
    yield from colon_pairs.check(text, surface)
    yield from mistyped(text, _KEYS, certain=False)
