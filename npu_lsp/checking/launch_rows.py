"""What the commands and calls of a file start, one by one, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.linter.context import Context
from npu_lsp.linter.launch.launch import Known, launches
from npu_lsp.linter.launch.summary import SHORT, summary


class LaunchRow(NamedTuple):
    """One launch. Lines and columns are 1-based, columns in code points; the place is that of the program's name."""

    path: str
    line: int
    column: int
    program: str
    processes: int | None
    """How many processes this node runs; `None`, here and below: it isn't known, or others decide."""
    total: int | None
    """How many all nodes run together."""
    nodes: int | None
    devices: tuple[int, ...] | None
    """The devices that are visible to it."""
    sizes: dict[str, int]
    """The parallel sizes that are known, by their short names."""
    ports: tuple[int, ...]
    summary: str


def launch_rows(path: str, context: Context) -> Iterator[LaunchRow]:
    """Yield the launches of a document in the order of the text."""
    for launch in launches(context):
        sizes = {short: _number(launch.size(what)) for what, short in SHORT.items()}
        yield LaunchRow(
            path,
            *context.document.line_column(launch.span.start),
            launch.program.title.to(context.language),
            _number(launch.processes),
            _number(launch.total),
            _number(launch.nodes),
            launch.devices.ids if launch.devices is not None else None,
            {short: size for short, size in sizes.items() if size is not None},
            tuple(port.number for port in launch.ports()),
            summary(launch, context.language),
        )


def _number(known: Known | None) -> int | None:
    return known.number if known is not None else None
