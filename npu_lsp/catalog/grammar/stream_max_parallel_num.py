"""`DNN_V100:2,DNN_HCCL:3`: how many tasks each engine runs at once (ge: `compiler/graph/manager/graph_manager.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, number, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the list."""
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
