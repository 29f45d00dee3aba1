"""`level0:NA;level1:ring`, or one such list per operator (hccl: `src/common/alg_env_config.cc`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.grammar.parts import whole
from npu_lsp.grammar.problem import Problem

_LEVEL = re.compile(r"level[0-3]:[\w+-]+\Z", re.ASCII)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no level with an algorithm."""
    for operator in whole(text).lines("/"):
        at = operator.text.find("=")
        levels = operator.cut(at)[1] if at >= 0 else operator
        for part in levels.lines(";"):
            if not _LEVEL.match(part.text.strip()):
                yield part.problem(
                    f'"{part.text}" is not of the form level1:ring', f"“{part.text}”格式错误，应形如 level1:ring"
                )
