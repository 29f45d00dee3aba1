"""NPU257: data-parallel ranks that two nodes have, or that are more than there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import Launch, launches, whole
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_MOST_BESIDE = 20
"""Launches above one that it is compared with."""


class _Ranks(NamedTuple):
    """The ranks of one node."""

    first: int
    many: int
    every: int
    said: Setting
    address: str | None
    """What is written for the address of the first node."""


def _start(rank: int, local: int = 8) -> str:
    return f"python launch_online_dp.py --dp-size 16 --tp-size 2 --dp-size-local {local} --dp-rank-start {rank} --dp-address $A\n"


class RanksOverlap(Rule):
    """Data-parallel ranks that two nodes have, or that go beyond the last one.

    ## What it does
    Looks at the first rank and the number of ranks of a node: together they can't be more than there are ranks, and of two nodes of
    one service, which have as many ranks each, none has a part of the other's.

    ## Why is this bad?
    The servers wait for ranks that nobody starts, or stop since a rank is there twice.
    """

    code = "NPU257"
    title = Text(en="Ranks that two nodes have", zh="节点间 rank 重叠")
    severity = Severity.ERROR
    messages = {
        "beyond": Text(
            en='"{option}" is {first}, and with {many} ranks here the last one is {last}, but {every} ranks are counted from 0 to {most}. The first one is the sum of those of the nodes before.',
            zh="“{option}”为 {first}，本节点有 {many} 个 rank，最后一个为 {last}，而全部 {every} 个 rank 的序号为 0 至 {most}。起始 rank 应为之前各节点的 rank 数之和。",
        ),
        "twice": Text(
            en='"{option}" is {first}, but the node above has the ranks {other} to {until}. The first one is the sum of those of the nodes before.',
            zh="“{option}”为 {first}，而上方节点的 rank 为 {other} 至 {until}，二者重叠。起始 rank 应为之前各节点的 rank 数之和。",
        ),
    }
    VALID = (
        "vllm serve m --data-parallel-size 4 --data-parallel-size-local 2 --data-parallel-start-rank 2 --headless\n",
        _start(0) + _start(8),
        _start(0).replace("--dp-rank-start 0 ", "") + _start(8),
        # The same command for several services, and another example.
        _start(8) + _start(8),
        _start(0) + _start(4, 4),
        _start(0) + _start(4).replace("$A", "$B"),
        "vllm serve m --data-parallel-size 4 --data-parallel-start-rank 2 --headless\n",
    )
    INVALID = (
        "vllm serve m --data-parallel-size 4 --data-parallel-size-local 2 --data-parallel-start-rank «3» --headless\n",
        Invalid(_start(0) + _start(4), ("4",), ("error",), kind=Kind.SHELL),
        Invalid(_start(0).replace("--dp-rank-start 0 ", "") + _start(4), ("4",), ("error",), kind=Kind.SHELL),
        Invalid(_start(12), ("12",), ("error",), kind=Kind.SHELL),
        "vllm serve m --data-parallel-size 4 --data-parallel-size-local 2 --data-parallel-start-rank «4»\n",
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        mine = _ranks(launch)
        if mine is None:
            return
        if mine.first + mine.many > mine.every:
            yield self._finding(mine, "beyond", context)
            return
        every = launches(context)
        at = every.index(launch)
        for above in every[max(0, at - _MOST_BESIDE) : at]:
            its = _ranks(above) if above.program is launch.program else None
            if its is not None and _overlap(mine, its):
                yield self._finding(mine, "twice", context, its)
                return

    def _finding(self, mine: _Ranks, message: str, context: Context, other: _Ranks | None = None) -> Finding:
        return self.finding(
            context,
            mine.said.value.inside,
            message,
            option=mine.said.name,
            surface=mine.said.surface,
            related=self.set_here(context, other.said) if other is not None else (),
            first=mine.first,
            many=mine.many,
            every=mine.every,
            last=mine.first + mine.many - 1,
            most=mine.every - 1,
            other=other.first if other is not None else 0,
            until=other.first + other.many - 1 if other is not None else 0,
        )


def _overlap(mine: _Ranks, other: _Ranks) -> bool:
    """Return whether two nodes of one service have a part of their ranks together; all of them are those of another service."""
    same = mine.address is not None and mine[1:3] == other[1:3] and mine.address == other.address
    return same and 0 < abs(mine.first - other.first) < mine.many


@Memoized
def _ranks(launch: Launch) -> _Ranks | None:
    """Return the ranks of a launch, where all that is asked is written down."""
    row = launch.program
    if row.first is None or row.local is None or row.copies is None:
        return None
    many, every = (launch.setting(each) for each in (row.local, row.copies))
    said = launch.setting(row.first) if launch.is_set(row.first) else many
    numbers = [whole(each.value.data) if each is not None else None for each in (said, many, every)]
    if said is None or None in numbers or 0 in numbers[1:]:
        return None
    first, here, there = (number or 0 for number in numbers)
    first = first if said is not many else 0
    joint = next((each for option in row.addresses if option != "host" for each in launch.settings(option)), None)
    address = launch.context.text(joint.value.span) if joint is not None else None
    return _Ranks(first, here, there, said, address)
