"""How devices and servers reach each other."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_PORTS = re.compile(r"\s*(\d{1,9})(?:-(\d{1,9}))?\s*\Z", re.ASCII)
_LAST = 65535
_FIRST = 1024


def ip_address(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """An IPv4 or IPv6 address."""
    from ipaddress import ip_address

    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        yield whole(text).problem(f'"{text}" is no IP address', f"“{text}”不是合法的 IP 地址")


def port(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`1025`: a port that any user may take (mindie-motor: `mindie_motor/src/coordinator/configure/Configure.cpp`, `ReadHttpConfig`)."""
    if not is_digits(text):
        yield whole(text).problem(f'"{text}" is no number', f"“{text}”不是数字")
    elif not _FIRST <= number(text) <= _LAST:
        yield whole(text).problem(f"a port is from {_FIRST} to {_LAST}", f"端口号取值范围为 {_FIRST}~{_LAST}")


def port_range_list(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`61000-61050,62000` or `auto`: ports."""
    if text == "auto":
        return
    for part in whole(text).split(","):
        match = _PORTS.match(part.text)
        if match is None:
            yield part.problem(
                f'"{part.text}" is neither a port nor a range such as 61000-61050',
                f"“{part.text}”不是端口，也不是形如 61000-61050 的区间",
            )
        elif number(match[2] or match[1]) > _LAST:
            yield part.problem(f"a port is at most {_LAST}", f"端口号不能超过 {_LAST}")
        elif match[2] and number(match[1]) > number(match[2]):
            yield part.problem(f'the range "{part.text}" starts above its end', f"区间“{part.text}”的起始值大于结束值")


def traffic_class(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """A traffic class of RDMA: the lowest two of its eight bits are always 0 (hccl: `docs/zh/user_guide/hccl_env/HCCL_RDMA_TC.md`).

    Yield what is no multiple of 4; how large it may be is not looked at here.
    """
    if not is_digits(text):
        yield whole(text).problem(f'"{text}" is no number', f"“{text}”不是数字")
    elif number(text) % 4:
        yield whole(text).problem(f"{text} is no multiple of 4", f"{text} 不是 4 的整数倍")
