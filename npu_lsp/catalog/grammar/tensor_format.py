"""The layout of a tensor, in any case, perhaps with a number behind it: `FRACTAL_Z:4`.

Source: ge: `graph_metadef/base/utils/type_utils_inner.cc`, `SerialStringToFormat`.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.layouts import TENSOR
from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a name that no layout has."""
    name, colon, number = text.strip().upper().partition(":")
    if name not in TENSOR or (colon and not is_digits(number)):
        yield whole(text).problem(f'"{text}" is no layout of a tensor', f"“{text}”不是合法的格式")
