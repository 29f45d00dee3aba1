"""An IPv4 or IPv6 address."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a text that is no address."""
    from ipaddress import ip_address

    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        yield whole(text).problem(f'"{text}" is no IP address', f"“{text}”不是合法的 IP 地址")
