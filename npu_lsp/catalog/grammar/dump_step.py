"""Steps that are dumped."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_MOST_STEPS = 100
_STRICT = re.compile(r"\d+(?:-\d+)?\Z", re.ASCII)
"""TorchAir leaves out neither end of a range (torchair: `python/torchair/configs/dump_config.py`)."""


def dump_step(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`0|5-10|20`: steps and ranges of steps (tf: `tf_adapter/util/npu_attrs.cc`, `checkDumpStep`)."""
    parts = whole(text).lines("|")
    for part in parts[:_MOST_STEPS]:
        problems = list(_steps(part))
        yield from problems
        if surface is Surface.TORCHAIR and not problems and not _STRICT.match(part.text):
            yield _neither(part)
    if len(parts) > _MOST_STEPS:
        yield ValuePart(text[parts[_MOST_STEPS].start :], parts[_MOST_STEPS].start).problem(
            f"there are {len(parts)} parts, {_MOST_STEPS} are the most", f"共 {len(parts)} 段，最多 {_MOST_STEPS} 段"
        )


def _neither(part: ValuePart) -> ValueProblem:
    return part.problem(
        f'"{part.text}" is neither a step nor a range such as 5-10',
        f"“{part.text}”既不是迭代数，也不是形如 5-10 的范围",
    )


def _steps(part: ValuePart) -> Iterator[ValueProblem]:
    steps = part.lines("-")
    wrong = [step for step in steps if step.text and not is_digits(step.text)]
    if not steps or len(steps) > 2:
        yield _neither(part)
    elif wrong:
        for step in wrong:
            bare = step.text.strip()
            yield step.problem(
                f'the step "{step.text}" is not made of digits alone',
                f"迭代数“{step.text}”只能由数字组成",
                instead=bare if is_digits(bare) else None,
            )
    elif len(steps) == 2 and number(steps[0].text or "0") >= number(steps[1].text or "0"):
        yield part.problem(f'the range "{part.text}" does not rise', f"范围“{part.text}”须前小后大")
