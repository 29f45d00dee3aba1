"""`enable:true,cooldown:5`: keys and values."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no key with a value."""
    for part in whole(text).lines(","):
        key, colon, value = part.text.partition(":")
        if not (key.strip() and colon and value.strip()):
            yield part.problem(f'"{part.text}" is not of the form key:value', f"“{part.text}”格式错误，应为“键:值”")
