"""What the commands and calls of a file start, and which variables are in force at a line of it, row by row, as far as it is known."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.linter.context import Context
from npu_lsp.linter.launch.launch import Known, launches
from npu_lsp.linter.launch.summary import SHORT, summary
from npu_lsp.linter.provenance.follow import on_line, provenances
from npu_lsp.linter.provenance.model import Origin
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.linter.provenance.wording import shown, told
from npu_lsp.text.bilingual import Language


class OriginPlace(NamedTuple):
    """A setting that gives a variable of a launch its value. The line is 1-based."""

    path: str
    line: int
    value: str | None
    """`None`: it isn't known."""
    why: str
    """One of `Why`."""
    certain: bool
    """False: a branch decides whether it counts."""


class OriginRow(NamedTuple):
    """One environment variable of a launch: its value, and the settings that give it, for `settings --launches`."""

    name: str
    value: str | None
    """`None`: it isn't known, or several settings may give it."""
    found: tuple[OriginPlace, ...]
    """The settings of which one gives the value; those that a branch decides on stand behind the others."""
    overridden: tuple[OriginPlace, ...]
    """Those that were in force before, in the order in which they took effect."""
    unread: tuple[str, ...]
    """Files that may set it and weren't read, as they are written."""
    summary: str


def origin_rows(
    path: str, line: int, root: str, here: str, language: Language, others: Iterable[str] = ()
) -> list[OriginRow] | None:
    """Return the variables in force at a line (1-based) of a file; `None` where it can't be read or has no such line.

    Nothing outside of `root` is read. `others` are files that may start this one; paths are shown as seen from `here`.
    """
    texts = FileTexts(root)
    document = texts.at(os.path.abspath(path))
    if document is None or not 0 < line <= document.line_count:
        return None
    started = [text for other in others if (text := texts.at(os.path.abspath(other))) is not None]
    return [
        OriginRow(
            each.name,
            each.value,
            tuple(_places(each.found, here)),
            tuple(_places(each.overridden, here)),
            tuple(one.written.strip("\"'") for one in each.unread),
            told(each, here, language),
        )
        for each in provenances(on_line(document, line - 1), texts, started)
    ]


def _places(origins: Sequence[Origin], here: str) -> Iterator[OriginPlace]:
    for origin in origins:
        line = origin.document.line_of(origin.key.start) + 1
        yield OriginPlace(shown(origin.document.path, here), line, origin.value, origin.why.value, origin.certain)


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
