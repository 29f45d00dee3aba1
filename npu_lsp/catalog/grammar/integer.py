"""A whole number as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_NUMBER = re.compile(r"[+-]?\d+\Z", re.ASCII)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a text that is no whole number."""
    if not _NUMBER.match(text):
        bare = text.strip()
        yield whole(text).problem(
            f'"{text}" is no whole number', f"“{text}”不是整数", instead=bare if _NUMBER.match(bare) else None
        )
