"""The types of a model's outputs."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, Problem, is_digits, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import COMMANDS

_TYPES = ("FP32", "FP16", "UINT8", "INT8", "HIF8", "HIF4", "FP8E5M2", "FP8E4M3FN")
_ONLINE = ("INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64", "DOUBLE")
_LISTED = ", ".join(_TYPES)


def output_type(text: str, surface: Surface) -> Iterator[Problem]:
    """`FP16`, or `conv1:0:FP16;conv2:0:FP32` (ge: `api/atc/omg.cc`, `ParseOutputType`)."""
    if ":" not in text:
        yield from _type(whole(text), surface)
        return
    for part in whole(text).split(";"):
        fields = part.split(":")
        if len(fields) != 3:
            yield part.problem(
                f'"{part.text}" is not of the form node:index:type', f"“{part.text}”格式错误，应为“节点:序号:类型”"
            )
            continue
        index = fields[1].strip()
        if not is_digits(index.text):
            yield index.problem(f'the index "{index.text}" is no number from 0', f"序号“{index.text}”不是非负整数")
        yield from _type(fields[2], surface)


def _type(part: Part, surface: Surface) -> Iterator[Problem]:
    offline = surface in COMMANDS
    if part.text in _TYPES or (part.text in _ONLINE and not offline):
        return
    meant = part.text.strip().upper()
    yield part.problem(
        f'"{part.text}" is none of the types {_LISTED}',
        f"“{part.text}”不是支持的类型（{_LISTED}）",
        # The docs list these; a MindSpore model isn't checked.
        certain=part.text not in _ONLINE,
        instead=meant if meant in _TYPES else None,
    )
