"""`cluster_heartbeat:on,stuck_detection:off` (hccl: `docs/zh/user_guide/hccl_env/HCCL_DFS_CONFIG.md`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar import colon_pairs
from npu_lsp.catalog.grammar.pair_keys import mistyped
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_KEYS = frozenset(
    {
        "connection_fault_detection_time",
        "cluster_heartbeat",
        "stuck_detection",
        "inconsistent_check",
        "task_exception",
        "task_monitor_interval",
    }
)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no key with a value, and mistyped keys."""
    yield from colon_pairs.check(text, surface)
    yield from mistyped(text, _KEYS, certain=False)
