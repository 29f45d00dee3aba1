"""`L1:0,L2:1`: at which levels an operation is run again (hccl: `src/common/alg_env_config.cc`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_LEVEL = re.compile(r"\s*L[0-2]\s*:\s*[01]\s*\Z")


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no level with 0 or 1."""
    for part in whole(text).lines(","):
        if not _LEVEL.match(part.text):
            yield part.problem(
                f'"{part.text}" is not of the form L1:0 or L1:1', f"“{part.text}”格式错误，应形如 L1:0 或 L1:1"
            )
