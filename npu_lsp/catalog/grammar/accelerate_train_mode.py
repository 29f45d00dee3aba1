"""How a training is sped up."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_TYPES = ("fast", "fast1")
_SHARES = {"step": (0.2, 0.9), "loss": (1.01, 1.5)}
_NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*\Z", re.ASCII)


def accelerate_train_mode(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`fast|step|0.9`: how to speed up a training (tf: `tf_adapter/kernels/geop_npu.cc`, `ParserAccelerateTrain`)."""
    fields = whole(text).split("|")
    if len(fields) not in (2, 3):
        yield whole(text).problem(
            "the value must have two or three fields, as in fast|step|0.9", "取值须包含两到三个字段，形如 fast|step|0.9"
        )
        return
    kind, trigger = fields[0], fields[1]
    if kind.text not in _TYPES:
        yield kind.problem(
            f'the first field is "fast" or "fast1", not "{kind.text}"',
            f"第一个字段只能为 fast 或 fast1，不能为“{kind.text}”",
        )
    if trigger.text not in _SHARES:
        yield trigger.problem(
            f'the second field is "step" or "loss", not "{trigger.text}"',
            f"第二个字段只能为 step 或 loss，不能为“{trigger.text}”",
        )
    elif len(fields) == 3 and fields[2].text:
        yield from _share(fields[2], trigger.text)


def _share(part: ValuePart, trigger: str) -> Iterator[ValueProblem]:
    low, high = _SHARES[trigger]
    if not _NUMBER.match(part.text):
        yield part.problem(f'the share "{part.text}" is no number', f"占比“{part.text}”不是数值")
    elif not low <= float(part.text) <= high:
        yield part.problem(
            f'the share for "{trigger}" is {low} to {high}, not {part.text.strip()}',
            f"按 {trigger} 切分时占比范围为 {low}~{high}，不能为 {part.text.strip()}",
        )
