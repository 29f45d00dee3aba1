"""Functions of `torch.npu` and modules of `torch_npu` by name, and what a mistyped one was meant to be.

Read from `torch_npu/__init__.py` and `torch_npu/npu` of ten releases of Ascend/pytorch, 1.8.1 to 2.10.0.
"""

from __future__ import annotations

from functools import lru_cache

from npu_lsp.catalog.near import nearest

_LISTED = (
    "contrib profiler dynamo distributed optim multiprocessing testing "
    "set_option set_compile_mode set_device set_dump init_dump finalize_dump set_aoe set_mm_bmm_format_nd "
    "set_deterministic_level set_sync_debug_mode set_per_process_memory_fraction set_stream_limit set_device_limit set_op_timeout_ms "
    "set_npu_tensor_unsafe_check_flag is_available device_count current_device current_stream empty_cache manual_seed "
    "manual_seed_all synchronize get_device_name get_device_properties get_soc_version memory_allocated max_memory_allocated "
    "memory_reserved max_memory_reserved memory_summary reset_peak_memory_stats is_bf16_supported"
)
_CLOSE = (
    "get_device get_device_limit get_mm_bmm_format_nd get_npu_tensor_unsafe_check_flag get_per_process_memory_fraction get_stream_limit "
    "get_sync_debug_mode profile proflier reset_stream_limit"
)
"""What is there as well, and close to one of them."""
_KNOWN, _BESIDE = (frozenset(each.split()) for each in (_LISTED, _CLOSE))


@lru_cache(maxsize=1024)
def meant_call(name: str) -> str | None:
    """Return the function or module that a mistyped name was meant to be; `None` for one that is right, or that nobody knows."""
    if name in _KNOWN or name in _BESIDE:
        return None
    near = nearest(name, _KNOWN, careful=True)
    # One that reads is no slip of one that sets.
    return None if near is None or {name[:4], near[:4]} == {"get_", "set_"} else near
