"""`Pooling,SoftmaxV2`: names with commas between them; what reads them is closed source, so nothing is certain."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what can't be meant in the list."""
    for at, char in enumerate(text):
        if char in ";|":
            yield Part(char, at).problem(
                f'names are separated by ",", not "{char}"',
                f"名称以“,”分隔，而不是“{char}”",
                certain=False,
                instead=",",
            )
    for part in whole(text).split(",")[:-1]:
        if not part.text.strip():
            yield part.problem("a name is missing", "缺少名称", certain=False)
