"""`cv` or `LoadBalance:8`: how operators share streams (ge: `compiler/graph/build/stream/stream_utils.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, number, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_STRATEGIES = ("LoadBalance", "MainStream", "WeightedLoadBalance")
_MOST = 64


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the mode."""
    if text == "cv":
        return
    fields = whole(text).split(":")
    strategy = fields[0]
    if strategy.text not in _STRATEGIES:
        meant = {known.lower(): known for known in (*_STRATEGIES, "cv")}.get(strategy.text.strip().lower())
        yield strategy.problem(
            f'the mode is "cv" or one of {", ".join(_STRATEGIES)} with ":" and a number, not "{strategy.text}"',
            f"取值只能为 cv，或 {'、'.join(_STRATEGIES)} 加“:数量”，不能为“{strategy.text}”",
            instead=meant,
        )
    elif len(fields) != 2:
        yield whole(text).problem(
            f'"{strategy.text}" needs one ":" and a number of streams behind it',
            f"“{strategy.text}”后须有且仅有一个“:流数量”",
        )
    elif not is_digits(fields[1].text) or not 1 <= number(fields[1].text) <= _MOST:
        yield fields[1].problem(
            f'the number of streams is 1 to {_MOST}, not "{fields[1].text}"',
            f"流数量范围为 1~{_MOST}，不能为“{fields[1].text}”",
        )
