"""`TBE=0:RUNTIME=1`: log levels by module."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_LEVEL = re.compile(r"\w+=[0-4]\Z", re.ASCII)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no module with a level."""
    for part in whole(text).lines(":"):
        if not _LEVEL.match(part.text):
            yield part.problem(
                f'"{part.text}" is not of the form MODULE=0 to MODULE=4',
                f"“{part.text}”格式错误，应形如 MODULE=0（0~4）",
            )
