"""Shapes of inputs with a range for each dimension."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.input_shape import sizes
from npu_lsp.catalog.grammar.parts import Part, Problem, whole
from npu_lsp.catalog.model import Surface

_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_BY_INDEX = re.compile(r"\s*\[[^\[\]]*\]\s*(?:,\s*\[[^\[\]]*\]\s*)*\Z")
_KINDS = ("data", "getnext")


def input_shape_range(text: str, surface: Surface) -> Iterator[Problem]:
    """`name:[8~20,3,-1];name:[...]`, or by index `[8~20,3],[...]` (ge: `compiler/api/aclgrph/option_utils.cc`)."""
    if ":" in text:
        for part in whole(text).split(";"):
            yield from _range_of(part)
    else:
        yield from by_index(whole(text))


def by_index(part: Part) -> Iterator[Problem]:
    """Yield what is wrong with `[...],[...]`."""
    if not _BY_INDEX.match(part.text):
        yield part.problem(
            f'"{part.text}" is not of the form [1~20,3,-1],[...]', f"“{part.text}”格式错误，应形如 [1~20,3,-1],[...]"
        )
        return
    for match in _BRACKETED.finditer(part.text):
        inner = Part(match.group()[1:-1], part.start + match.start() + 1)
        if inner.text.strip():
            yield from sizes(inner, dynamic=True)


def _range_of(part: Part) -> Iterator[Problem]:
    at = part.text.rfind(":")
    if at < 0:
        if not part.text.strip() and part.start:
            yield Part(";", part.start - 1).problem(
                'the ";" at the end opens another input', "末尾的“;”会被当作另一个输入", instead=""
            )
        else:
            yield part.problem(f'"{part.text}" has no input name with ":"', f"“{part.text}”缺少“输入名:”")
        return
    ranges = part.cut(at)[1]
    if not _BRACKETED.fullmatch(ranges.text):
        yield ranges.problem(
            f'the ranges must stand in one pair of brackets, not as "{ranges.text}"',
            f"范围须写在一对方括号中，而不是“{ranges.text}”",
        )
    else:
        yield from sizes(Part(ranges.text[1:-1], ranges.start + 1), dynamic=True)


def dynamic_inputs_shape_range(text: str, surface: Surface) -> Iterator[Problem]:
    """`data:[1~10,3];getnext:[2,-1]`: shapes by kind of input (tf: `tf_adapter/optimizers/om_partition_subgraphs_pass.cc`)."""
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
