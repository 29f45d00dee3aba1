"""`27917287424` or `26*1024*1024*1024`: a number of bytes."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield factors that are no numbers."""
    for part in whole(text).split("*"):
        if not is_digits(part.text.strip()):
            yield part.problem(
                f'"{part.text}" is no number of bytes such as 26*1024*1024*1024',
                f"“{part.text}”不是字节数，应形如 26*1024*1024*1024",
            )
