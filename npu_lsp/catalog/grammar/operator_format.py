"""The layout that an operator computes in, in any case; fewer than a tensor may come in, and no number behind it.

Source: ge: `base/common/single_op_parser.cc`, `kFormatDict`.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.layouts import OPERATOR
from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a name that the tool takes for no layout."""
    if text.upper() not in OPERATOR:
        yield whole(text).problem(
            f'"{text}" is no layout that an operator is built for', f"“{text}”不是单算子支持的格式"
        )
