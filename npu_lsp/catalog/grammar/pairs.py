"""Keys with values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from npu_lsp.catalog.grammar.parts import Part, Problem, whole, words
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import Known, distance

_FAULT_DETECTION = words(
    "enable with_checksum cooldown strikes_num strikes_window checksum_cooldown upper_thresh1 upper_thresh2 "
    "grad_sample_interval"
)
_FAULT_PROBES = words(
    "connection_fault_detection_time cluster_heartbeat stuck_detection inconsistent_check task_exception "
    "task_monitor_interval"
)
_RETRY_PARAMS = words("MaxCnt HoldTime IntervalTime")


def colon_pairs(text: str, surface: Surface) -> Iterator[Problem]:
    """`enable:true,cooldown:5`: keys and values."""
    for part in whole(text).lines(","):
        key, colon, value = part.text.partition(":")
        if not (key.strip() and colon and value.strip()):
            yield part.problem(f'"{part.text}" is not of the form key:value', f"“{part.text}”格式错误，应为“键:值”")


def fault_detection(text: str, surface: Surface) -> Iterator[Problem]:
    """`enable:true,cooldown:5` (torch: `torch_npu/utils/_step.py`): a key that it does not know is ignored."""
    yield from of_keys(text, _FAULT_DETECTION, certain=False)


def fault_probes(text: str, surface: Surface) -> Iterator[Problem]:
    """`cluster_heartbeat:on,stuck_detection:off` (hccl: `docs/zh/user_guide/hccl_env/HCCL_DFS_CONFIG.md`)."""
    yield from of_keys(text, _FAULT_PROBES, certain=False)


def retry_params(text: str, surface: Surface) -> Iterator[Problem]:
    """`MaxCnt:5,HoldTime:5000` (hccl: `docs/zh/user_guide/hccl_env/HCCL_OP_RETRY_PARAMS.md`)."""
    yield from of_keys(text, _RETRY_PARAMS, certain=False)


def of_keys(text: str, keys: frozenset[str], *, certain: bool) -> Iterator[Problem]:
    """Yield what is no key with a value, and mistyped keys; `certain`: the tool rejects what it doesn't know."""
    yield from colon_pairs(text, Surface.ENV)
    yield from _mistyped(text, keys, certain=certain)


def _mistyped(text: str, keys: frozenset[str], *, certain: bool) -> Iterator[Problem]:
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
