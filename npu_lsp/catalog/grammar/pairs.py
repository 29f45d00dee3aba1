"""Keys with values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from npu_lsp.catalog.grammar.keyed import Keyed, with_values
from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole, words
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import NearNames, distance


def colon_pairs(text: str, surface: Surface) -> Iterator[ValueProblem]:
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

    def __call__(self, text: str, surface: Surface) -> Iterator[ValueProblem]:
        """Yield what is no key with a value, and keys that are one of those that are known with a slip."""
        yield from colon_pairs(text, surface)
        for key in _keys(text):
            unknown = bool(key.text) and key.text not in self.known
            near = _known(self.known).nearest(key.text, wrong=self.certain) if unknown else None
            slip = near is not None and distance(key.text.casefold(), near.casefold(), 1) is not None
            if near is not None and (self.certain or slip):
                yield key.problem(
                    f'there is no key "{key.text}", only "{near}"',
                    f"不存在键“{key.text}”，应为“{near}”",
                    certain=self.certain,
                    # With a word more it may have been another key.
                    instead=near if slip else None,
                )


_OF_DETECTION = Keys(
    words(
        "enable with_checksum cooldown strikes_num strikes_window checksum_cooldown upper_thresh1 upper_thresh2 "
        "grad_sample_interval"
    )
)
_SWITCHES = ("enable", "with_checksum")
_LEAST = {"upper_thresh1": 3, "upper_thresh2": 3}


def fault_detection(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`enable:true,cooldown:5` (torch: `torch_npu/utils/_step.py`): a key that it does not know is ignored.

    Its switches are `true` or `false` to the letter, and another text raises; for another number than a whole one its default holds.
    """
    yield from _OF_DETECTION(text, surface)
    for part in whole(text).lines(","):
        key, _, value = part.text.partition(":")
        inner = ValuePart(value, part.end - len(value))
        if key in _SWITCHES and value.strip() and value not in ("true", "false"):
            meant = {"1": "true", "on": "true", "0": "false", "off": "false"}.get(
                value.strip().lower(), value.strip().lower()
            )
            yield inner.problem(
                f'"{key}" is true or false, in small letters',
                f"“{key}”只能为 true 或 false（小写）",
                instead=meant if meant in ("true", "false") else None,
            )
        elif key in _OF_DETECTION.known and key not in _SWITCHES and value.strip():
            least = _LEAST.get(key, 1)
            if not (is_digits(value) and number(value) >= least):
                yield inner.problem(
                    f'"{key}" is a whole number from {least} on, or its default holds',
                    f"“{key}”须为不小于 {least} 的整数，否则使用默认值",
                    certain=False,
                )


def threshold_pair(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`1000000,10000`: two numbers, the greater one first (torch: `OptionsManager.cpp`, `GetSilenceThresh`), or the defaults hold."""
    parts = [part.strip() for part in whole(text).lines(",")]
    numbers = [_number(part.text) for part in parts]
    if len(numbers) != 2 or None in numbers:
        yield whole(text).problem(
            "it is two numbers with a comma between them, or the defaults hold",
            "应为以逗号分隔的两个数，否则使用默认值",
            certain=False,
        )
    elif (numbers[0] or 0) <= (numbers[1] or 0):
        yield whole(text).problem(
            "the first number must be greater than the second, or the defaults hold",
            "第一个数须大于第二个，否则使用默认值",
            certain=False,
        )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


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
            **with_values((), _OF_DETECTION.known - {"enable", "with_checksum"}),
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


def _keys(text: str) -> Iterable[ValuePart]:
    for part in whole(text).lines(","):
        if ":" in part.text:
            yield part.split(":")[0].strip()


@cache
def _known(keys: frozenset[str]) -> NearNames:
    return NearNames(keys)
