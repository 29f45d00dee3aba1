"""`24|48`, `10` or `10|`: how many cores to use (ge: `graph_metadef/register/core_num_utils.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the numbers."""
    numbers = whole(text).split("|")
    for part in numbers[2:]:
        yield part.problem("there are more than two numbers", "最多只能有两个数")
    for position, part in enumerate(numbers[:2]):
        bare = part.text.strip()
        plain = bare.lstrip("0") if is_digits(bare) else ""
        if part.text == "" and position == 1:
            continue
        if not plain:
            yield part.problem(f'"{part.text}" is no number above 0', f"“{part.text}”不是大于 0 的整数")
        elif plain != part.text:
            yield part.problem(
                f'"{part.text}" has leading zeros or blanks', f"“{part.text}”含前导零或空格", instead=plain
            )
