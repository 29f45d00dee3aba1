"""`name:[8~20,3,-1];name:[...]`, or by index `[8~20,3],[...]` (ge: `compiler/api/aclgrph/option_utils.cc`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.input_shape import sizes
from npu_lsp.catalog.grammar.parts import Part, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_BY_INDEX = re.compile(r"\s*\[[^\[\]]*\]\s*(?:,\s*\[[^\[\]]*\]\s*)*\Z")


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the ranges."""
    if ":" in text:
        for part in whole(text).split(";"):
            yield from _named(part)
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


def _named(part: Part) -> Iterator[Problem]:
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
