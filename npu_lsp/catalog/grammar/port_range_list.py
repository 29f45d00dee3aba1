"""`61000-61050,62000` or `auto`: ports."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import number, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_PORTS = re.compile(r"\s*(\d{1,9})(?:-(\d{1,9}))?\s*\Z", re.ASCII)
_LAST = 65535


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no port and no range of ports."""
    if text == "auto":
        return
    for part in whole(text).split(","):
        match = _PORTS.match(part.text)
        if match is None:
            yield part.problem(
                f'"{part.text}" is neither a port nor a range such as 61000-61050',
                f"“{part.text}”不是端口，也不是形如 61000-61050 的区间",
            )
        elif number(match[2] or match[1]) > _LAST:
            yield part.problem(f"a port is at most {_LAST}", f"端口号不能超过 {_LAST}")
        elif match[2] and number(match[1]) > number(match[2]):
            yield part.problem(f'the range "{part.text}" starts above its end', f"区间“{part.text}”的起始值大于结束值")
