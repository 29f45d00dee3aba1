"""A path that the tool hands on as it is."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.file_names import home
from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

FREE = True


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the path."""
    yield from home(whole(text), certain=False)
