"""`416,416;832,832`: heights and widths of a model's images (ge: `compiler/api/aclgrph/option_utils.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.grammar.profiles import not_a_size, parse, together
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the image sizes."""
    wrong: list[Problem] = []
    for part in whole(text).lines(";"):
        sizes = part.split(",")
        if len(sizes) != 2:
            wrong.append(part.problem(f'"{part.text}" is not a height and a width', f"“{part.text}”不是“高,宽”两个值"))
        wrong += [not_a_size(size) for size in sizes if len(sizes) == 2 and not is_digits(size.text)]
    yield from wrong or together(parse(text) or ())
