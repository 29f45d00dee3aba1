"""`data:[1~10,3];getnext:[2,-1]`: shapes by kind of input (tf: `tf_adapter/optimizers/om_partition_subgraphs_pass.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.input_shape_range import by_index
from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_KINDS = ("data", "getnext")


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the ranges."""
    parts = whole(text).lines(";")
    for part in parts[2:]:
        yield part.problem("there are more than two kinds of input", "最多只能有两类输入")
    for part in parts[:2]:
        fields = part.split(":")
        if len(fields) != 2:
            yield part.problem(
                f'"{part.text}" is not of the form data:[...] or getnext:[...]',
                f"“{part.text}”格式错误，应形如 data:[...] 或 getnext:[...]",
            )
        elif fields[0].text not in _KINDS:
            yield fields[0].problem(
                f'the kind of input is "data" or "getnext", not "{fields[0].text}"',
                f"输入类型只能为 data 或 getnext，不能为“{fields[0].text}”",
            )
        else:
            yield from by_index(fields[1])
