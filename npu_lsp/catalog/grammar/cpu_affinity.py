"""`2` or `1,force:1,npu0:0-9` (torch: `torch_npu/csrc/core/npu/NPUAffinityController.cpp`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_ARGUMENT = re.compile(
    r"\s*(?:force:[01]|(?:npu_affine|lazy_bind|bind_irq):\d|npu\d+:\d+(?:-\d+)?|mode:[0-2])\s*\Z", re.ASCII
)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a mode that isn't 0 to 2, and arguments of no known form."""
    first, *others = whole(text).lines(",") or [whole(text)]
    if first.text.strip() not in ("0", "1", "2") and not _ARGUMENT.match(first.text):
        yield first.problem(f'the mode is 0, 1 or 2, not "{first.text}"', f"模式只能为 0、1、2，不能为“{first.text}”")
    for part in others:
        if not _ARGUMENT.match(part.text):
            yield part.problem(
                f'"{part.text}" is not of the form npu0:0-9 or force:1',
                f"“{part.text}”格式错误，应形如 npu0:0-9 或 force:1",
            )
