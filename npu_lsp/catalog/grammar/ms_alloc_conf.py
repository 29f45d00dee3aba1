"""Switches of MindSpore's runtime, and of how it gives out memory of the device."""

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
_RUNTIME_SWITCHES = words(
    "inline switch_inline pipeline all_finite memory_statistics compile_statistics backend_compile_cache view insert_tensormove"
)
_RUNTIME_KEYS = Keys(
    _RUNTIME_SWITCHES
    | words(
        "multi_stream new_ref_count mc2_event new_pipeline graph_pipeline kbk_sub_graph_mode communication_launch_group "
        "ge_kernel copy_async sync_copy_input cluster_thread_num multi_thread_load_cache async_init_comm cpu_affinity_list "
        "cpu_affinity_module actor_thread_fix_bind input_optimize comm_init_lccl_only graph_order sync_stream_on_demand "
        "graph_capture_max_number memory_track aclnn_cache_queue_length pre_build_comm_kernel high_performance_mode "
        "execution_order_check_iteration parallel_assignadd_opt synchronize performance_statistics performance_statistics_top_num"
    )
)
_WORDS = ("True", "true", "False", "false")
KEYED = {
    "ms-alloc-conf": Keyed(
        {**with_values(("true", "false"), _MS_SWITCHES), **with_values((), _MS_KEYS.known - _MS_SWITCHES)}
    ),
    "ms-runtime-conf": Keyed(
        {**with_values(("true", "false"), _RUNTIME_SWITCHES), "multi_stream": ("true", "false", "group")}
    ),
}


def ms_alloc_conf(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`enable_vmm:true,memory_tracker:true` of MindSpore (ms: `mindspore/core/utils/ms_utils.cc`).

    Yield what is no key with a value, mistyped keys, and values that a switch doesn't know: MindSpore passes over them.
    """
    yield from _MS_KEYS(text, surface)
    yield from _neither(text, _MS_SWITCHES)


def ms_runtime_conf(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`inline:false,pipeline:false` of MindSpore (ms: `mindspore/core/utils/ms_utils.cc`, `mindspore/core/include/utils/ms_utils.h`).

    Yield the same as for the memory: what MindSpore doesn't know it passes over, too, and a release may know other keys.
    """
    yield from _RUNTIME_KEYS(text, surface)
    yield from _neither(text, _RUNTIME_SWITCHES)


def _neither(text: str, switches: frozenset[str]) -> Iterator[ValueProblem]:
    for part in whole(text).lines(","):
        key, *rest = part.split(":")
        value = rest[0].strip() if len(rest) == 1 else None
        if value is not None and value.text and key.text.strip() in switches and value.text not in _WORDS:
            meant = value.text.lower()
            yield value.problem(
                f'"{value.text}" is neither "true" nor "false"',
                f"“{value.text}”既不是 true 也不是 false",
                instead=meant if meant in _WORDS else None,
            )
