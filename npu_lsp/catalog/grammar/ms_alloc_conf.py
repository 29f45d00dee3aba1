"""How MindSpore gives out memory of the device."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.keyed import Keyed, with_values
from npu_lsp.catalog.grammar.pairs import Keys
from npu_lsp.catalog.grammar.parts import ValueProblem, whole, words
from npu_lsp.catalog.model import Surface

_MS_SWITCHES = words("enable_vmm memory_tracker simple_tracker acl_allocator somas_whole_block")
_MS_KEYS = Keys(
    _MS_SWITCHES
    | words(
        "defrag_memory_step_freq enable_mem_huge_1g enable_small_pool memory_recycle memory_tracker_path older_pool "
        "vmm_align_size"
    ),
    certain=True,
)
_WORDS = ("True", "true", "False", "false")
KEYED = {
    "ms-alloc-conf": Keyed(
        {**with_values(("true", "false"), _MS_SWITCHES), **with_values((), _MS_KEYS.known - _MS_SWITCHES)}
    )
}


def ms_alloc_conf(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`enable_vmm:true,memory_tracker:true` of MindSpore (ms: `mindspore/core/utils/ms_utils.cc`).

    Yield what is no key with a value, mistyped keys, and values that a switch doesn't know: MindSpore passes over them.
    """
    yield from _MS_KEYS(text, surface)
    for part in whole(text).lines(","):
        key, *rest = part.split(":")
        value = rest[0].strip() if len(rest) == 1 else None
        if value is not None and value.text and key.text.strip() in _MS_SWITCHES and value.text not in _WORDS:
            meant = value.text.lower()
            yield value.problem(
                f'"{value.text}" is neither "true" nor "false"',
                f"“{value.text}”既不是 true 也不是 false",
                instead=meant if meant in _WORDS else None,
            )
