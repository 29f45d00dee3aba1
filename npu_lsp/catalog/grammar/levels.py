"""Log levels by module."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_LEVEL = re.compile(r"\w+=[0-4]\Z", re.ASCII)
_MINDSPORE_LEVEL = re.compile(r"\w+\s*:\s*[0-3]\Z", re.ASCII)


def module_log_levels(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`TBE=0:RUNTIME=1`: log levels by module."""
    for part in whole(text).lines(":"):
        if not _LEVEL.match(part.text):
            yield part.problem(
                f'"{part.text}" is not of the form MODULE=0 to MODULE=4',
                f"“{part.text}”格式错误，应形如 MODULE=0（0~4）",
            )


def submodule_log_levels(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`{PARSER:2,ANALYZER:2}`: log levels of MindSpore's modules (ms: `mindspore/core/utils/log_adapter.cc`).

    Yield a list without braces, or what in it is no module with a level.
    """
    said = whole(text).strip()
    if not (said.text.startswith("{") and said.text.endswith("}")):
        yield said.problem("modules and levels stand in braces: {MODULE:2}", "模块和级别须写在花括号内，如 {MODULE:2}")
        return
    inside = ValuePart(said.text[1:-1], said.start + 1)
    for part in inside.split(",") if inside.text.strip() else ():
        level = part.strip()
        if level.text and not _MINDSPORE_LEVEL.match(level.text):
            yield level.problem(
                f'"{level.text}" is not of the form MODULE:0 to MODULE:3',
                f"“{level.text}”格式错误，应形如 MODULE:0（0～3）",
            )
