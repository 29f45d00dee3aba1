"""A traffic class of RDMA: the lowest two of its eight bits are always 0 (hccl: `docs/zh/user_guide/hccl_env/HCCL_RDMA_TC.md`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, number, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no multiple of 4; how large it may be is not looked at here."""
    if not is_digits(text):
        yield whole(text).problem(f'"{text}" is no number', f"“{text}”不是数字")
    elif number(text) % 4:
        yield whole(text).problem(f"{text} is no multiple of 4", f"{text} 不是 4 的整数倍")
