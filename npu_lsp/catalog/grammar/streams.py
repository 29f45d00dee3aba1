"""Cores and streams that operators share."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface

_STRATEGIES = ("LoadBalance", "MainStream", "WeightedLoadBalance")
_MOST_STREAMS = 64


def core_num(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`24|48`, `10` or `10|`: how many cores to use (ge: `graph_metadef/register/core_num_utils.cc`)."""
    numbers = whole(text).split("|")
    for part in numbers[2:]:
        yield part.problem("there are more than two numbers", "最多只能有两个数")
    for position, part in enumerate(numbers[:2]):
        bare = part.text.strip()
        plain = bare.lstrip("0") if is_digits(bare) else ""
        if part.text == "" and position == 1:
            continue
        if not plain:
            yield part.problem(f'"{part.text}" is no number above 0', f"“{part.text}”不是大于 0 的整数")
        elif plain != part.text:
            yield part.problem(
                f'"{part.text}" has leading zeros or blanks', f"“{part.text}”含前导零或空格", instead=plain
            )


def multi_stream_mode(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`cv` or `LoadBalance:8`: how operators share streams (ge: `compiler/graph/build/stream/stream_utils.cc`)."""
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
    elif not is_digits(fields[1].text) or not 1 <= number(fields[1].text) <= _MOST_STREAMS:
        yield fields[1].problem(
            f'the number of streams is 1 to {_MOST_STREAMS}, not "{fields[1].text}"',
            f"流数量范围为 1~{_MOST_STREAMS}，不能为“{fields[1].text}”",
        )


def stream_max_parallel_num(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`DNN_V100:2,DNN_HCCL:3`: how many tasks each engine runs at once (ge: `compiler/graph/manager/graph_manager.cc`)."""
    seen: set[str] = set()
    for part in whole(text).lines(","):
        at = part.text.find(":")
        if at < 0:
            yield part.problem(
                f'"{part.text}" is not of the form engine:number', f"“{part.text}”格式错误，应为“引擎:数量”"
            )
            continue
        engine, count = (each.strip(" ") for each in part.cut(at))
        if not engine.text:
            yield part.problem(f'"{part.text}" names no engine', f"“{part.text}”缺少引擎名")
        elif engine.text in seen:
            yield engine.problem(f'the engine "{engine.text}" stands twice', f"引擎“{engine.text}”重复")
        seen.add(engine.text)
        if not is_digits(count.text) or number(count.text) < 1:
            yield count.problem(f'"{count.text}" is no number from 1', f"“{count.text}”不是大于等于 1 的整数")
