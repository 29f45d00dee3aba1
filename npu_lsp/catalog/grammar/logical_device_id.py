"""`[0:0]`: the place of a logical device; what reads it is closed source, so nothing is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_FORM = re.compile(r"\[\d+(?::\d+)*\](?:\s*,\s*\[\d+(?::\d+)*\])*\Z", re.ASCII)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a text that is not of the form."""
    if not _FORM.match(text.strip()):
        yield whole(text).problem(
            f'"{text}" is not of the form [0:0]', f"“{text}”格式错误，应形如 [0:0]", certain=False
        )
