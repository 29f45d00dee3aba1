"""`ConstantFoldingPass:off;EinsumPass:on`: passes and their switches."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the switches."""
    for part in whole(text).lines(";"):
        name, colon, switch = part.text.partition(":")
        if not colon or not name.strip():
            yield part.problem(
                f'"{part.text}" is not of the form pass:on or pass:off',
                f"“{part.text}”格式错误，应为“规则名:on”或“规则名:off”",
            )
        elif switch not in ("on", "off"):
            last = part.split(":")[-1]
            meant = switch.strip().lower()
            yield last.problem(
                f'a pass is "on" or "off", not "{switch}"',
                f"开关只能为 on 或 off，不能为“{switch}”",
                instead=meant if meant in ("on", "off") and len(part.split(":")) == 2 else None,
            )
