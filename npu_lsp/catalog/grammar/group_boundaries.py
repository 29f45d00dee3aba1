"""`44,64,68`: where groups of inputs end, rising; `0` and `1` are values of their own."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, number, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the boundaries; a comma may stand at either end."""
    last = -1
    for part in whole(text).split(","):
        bare = part.text.strip()
        if not bare and part.start in (0, len(text)):
            continue
        if not is_digits(bare):
            yield part.problem(
                f'the boundary "{part.text}" is no number', f"分组边界“{part.text}”不是整数", certain=False
            )
            continue
        if number(bare) <= last:
            yield part.problem(
                f"the boundary {bare} is not above the one before", f"分组边界 {bare} 未按升序排列", certain=False
            )
        last = number(bare)
