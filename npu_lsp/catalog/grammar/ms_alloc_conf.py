"""`enable_vmm:true,memory_tracker:true` of MindSpore (ms: `mindspore/core/utils/ms_utils.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar import colon_pairs
from npu_lsp.catalog.grammar.pair_keys import mistyped
from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_SWITCHES = frozenset({"enable_vmm", "memory_tracker", "simple_tracker", "acl_allocator", "somas_whole_block"})
_KEYS = _SWITCHES | {
    "defrag_memory_step_freq",
    "enable_mem_huge_1g",
    "enable_small_pool",
    "memory_recycle",
    "memory_tracker_path",
    "older_pool",
    "vmm_align_size",
}
_WORDS = ("True", "true", "False", "false")


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no key with a value, mistyped keys, and values that a switch doesn't know: MindSpore passes over them."""
    yield from colon_pairs.check(text, surface)
    yield from mistyped(text, _KEYS, certain=True)
    for part in whole(text).lines(","):
        key, *rest = part.split(":")
        value = rest[0].strip() if len(rest) == 1 else None
        if value is not None and value.text and key.text.strip() in _SWITCHES and value.text not in _WORDS:
            meant = value.text.lower()
            yield value.problem(
                f'"{value.text}" is neither "true" nor "false"',
                f"“{value.text}”既不是 true 也不是 false",
                instead=meant if meant in _WORDS else None,
            )
