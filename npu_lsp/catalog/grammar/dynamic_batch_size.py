"""`1,2,4,8`: the batch sizes of a model (ge: `compiler/api/aclgrph/option_utils.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.grammar.profiles import not_a_size, parse, together
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the batch sizes; the tool skips empty ones."""
    wrong = [part for part in whole(text).split(",") if part.text and not is_digits(part.text)]
    if wrong:
        yield from map(not_a_size, wrong)
    else:
        yield from together(parse(text.strip(","), batches=True) or ())
