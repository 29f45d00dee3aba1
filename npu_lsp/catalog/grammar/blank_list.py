"""`conv1 conv2`: names of operators with blanks between them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield separators that belong to other lists: here they become part of a name."""
    for at, char in enumerate(text):
        if char in ",;|":
            yield Part(char, at).problem(
                f'names are separated by blanks, not "{char}"', f"名称以空格分隔，而不是“{char}”", certain=False
            )
