"""`1,20;4,40`: sizes for the open dimensions of the inputs.

Sources: tf: `tf_adapter/util/npu_attrs.cc`, `CheckDynamicDims`; ge: `compiler/api/aclgrph/option_utils.cc`.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.grammar.profiles import not_a_size, parse, together
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the profiles."""
    sizes = [size for part in whole(text).lines(";") for size in part.split(",")]
    wrong = [not_a_size(size) for size in sizes if not is_digits(size.text)]
    yield from wrong or together(parse(text) or ())
