"""Keys with values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from npu_lsp.catalog.grammar.keyed import Keyed, with_values
from npu_lsp.catalog.grammar.parts import Part, Problem, whole, words
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import Known, distance


def colon_pairs(text: str, surface: Surface) -> Iterator[Problem]:
    """`enable:true,cooldown:5`: keys and values."""
    for part in whole(text).lines(","):
        key, colon, value = part.text.partition(":")
        if not (key.strip() and colon and value.strip()):
            yield part.problem(f'"{part.text}" is not of the form key:value', f"“{part.text}”格式错误，应为“键:值”")


class Keys(NamedTuple):
    """`enable:true,cooldown:5`, where it is known which keys there are."""

    known: frozenset[str]
    certain: bool = False
    """The tool rejects what it doesn't know; others may know more with a later release."""

    def __call__(self, text: str, surface: Surface) -> Iterator[Problem]:
        """Yield what is no key with a value, and keys that are one of those that are known with a slip."""
        yield from colon_pairs(text, surface)
        for key in _keys(text):
            near = _known(self.known).nearest(key.text) if key.text and key.text not in self.known else None
            if near is not None and distance(key.text.casefold(), near.casefold(), 1) is not None:
                yield key.problem(
                    f'there is no key "{key.text}", only "{near}"',
                    f"不存在键“{key.text}”，应为“{near}”",
                    certain=self.certain,
                    instead=near,
                )


fault_detection = Keys(
    words(
        "enable with_checksum cooldown strikes_num strikes_window checksum_cooldown upper_thresh1 upper_thresh2 "
        "grad_sample_interval"
    )
)
"""`enable:true,cooldown:5` (torch: `torch_npu/utils/_step.py`): a key that it does not know is ignored."""
fault_probes = Keys(
    words(
        "connection_fault_detection_time cluster_heartbeat stuck_detection inconsistent_check task_exception "
        "task_monitor_interval"
    )
)
"""`cluster_heartbeat:on,stuck_detection:off` (hccl: `docs/zh/user_guide/hccl_env/HCCL_DFS_CONFIG.md`)."""
retry_params = Keys(words("MaxCnt HoldTime IntervalTime"))
"""`MaxCnt:5,HoldTime:5000` (hccl: `docs/zh/user_guide/hccl_env/HCCL_OP_RETRY_PARAMS.md`)."""
KEYED = {
    "fault-detection": Keyed(
        {
            **with_values(("true", "false"), ("enable", "with_checksum")),
            **with_values((), fault_detection.known - {"enable", "with_checksum"}),
        }
    ),
    "fault-probes": Keyed(
        {
            **with_values(("on", "off"), ("cluster_heartbeat", "stuck_detection", "task_exception")),
            "inconsistent_check": ("first", "on", "off"),
            **with_values((), ("connection_fault_detection_time", "task_monitor_interval")),
        }
    ),
    "retry-params": Keyed(dict.fromkeys(("MaxCnt", "HoldTime", "IntervalTime"), ())),
}


def _keys(text: str) -> Iterable[Part]:
    for part in whole(text).lines(","):
        if ":" in part.text:
            yield part.split(":")[0].strip()


@cache
def _known(keys: frozenset[str]) -> Known:
    return Known(keys)
