"""What one command starts, as far as the settings of its file tell: processes, devices, parallel sizes, ports.

Made from a block of a program's options (see `programs.toml`) and from what is in force there. What isn't known for sure is
`None`: a variable, a branch that may not be taken, a file with more options. Rules ask a launch, and know no syntax.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import prod
from typing import NamedTuple

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.branches import Branch, Branching, dominates, functions, run_together
from npu_lsp.languages.innermost import innermost, nested
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.launch.environment import Environment
from npu_lsp.linter.launch.programs import PortRow, Program, plain, programs, variable
from npu_lsp.text.memo import Memoized, Memos
from npu_lsp.text.spans import Span

_VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"
_MOST = 200
"""Launches of one file that are looked at."""
_LARGEST = 1 << 20


class Known(NamedTuple):
    """A number, and the settings that say it; none where it holds without one."""

    number: int
    said: tuple[Setting, ...] = ()


class Devices(NamedTuple):
    """The devices that a process may see, and the setting that says so."""

    ids: tuple[int, ...]
    said: Setting


class Port(NamedTuple):
    """A port that a launch takes."""

    number: int
    row: PortRow
    said: Setting | None
    """`None`: it is the one that the program takes where none is set."""


class Launch:
    """One command or call that starts processes. Everything is found out when it is asked for."""

    def __init__(self, program: Program, block: Block, inner: Block | None, context: Context) -> None:
        self.program = program
        self.block = block
        self.inner = inner
        """What a launcher starts, where that has options of its own."""
        self.context = context
        self.memos = Memos()
        """What is made of it, and kept for all that ask."""

    @property
    def span(self) -> Span:
        """The whole command, or the call."""
        return self.block.command or self.block.span

    @cached_property
    def branch(self) -> Branch:
        """The arms of branchings that it stands in: for a call, those that all of its arguments stand in."""
        if self.block.command is not None:
            return self.block.branch
        shortest = min((setting.branch for setting in self.block.settings), key=len, default=())
        return shortest if all(dominates(shortest, setting.branch) for setting in self.block.settings) else ()

    @cached_property
    def environment(self) -> Environment:
        """The variables that it gets."""
        return Environment(self.block, self.branch, self.context)

    # -- processes --------------------------------------------------------------------------------------

    @cached_property
    def processes(self) -> Known | None:
        """How many processes it starts on this node; `None` where that isn't known, or where others decide."""
        row = self.program
        if self._is_elsewhere():
            return None
        if row.processes is not None:
            return self.number(row.processes)
        if row.total is not None:
            total = self.number(row.total)
            return total if total is not None and self._number_of_nodes() == 1 else None
        if row.multiplied:
            return self._divided(self._product())
        return None

    @cached_property
    def total(self) -> Known | None:
        """How many processes all nodes start together."""
        row = self.program
        if row.total is not None:
            return self.number(row.total)
        here, nodes = self.processes, self.nodes
        if here is None or nodes is None:
            return None
        return (
            here if row.multiplied and nodes.number == 1 else Known(here.number * nodes.number, here.said + nodes.said)
        )

    @cached_property
    def nodes(self) -> Known | None:
        """How many nodes there are."""
        return self.number(self.program.nodes) if self.program.nodes is not None else None

    @cached_property
    def devices(self) -> Devices | None:
        """The devices that its processes see; `None` where all are visible, or nobody knows."""
        said = self.environment.value(_VISIBLE)
        ids = device_ids(said) if said is not None else None
        return Devices(ids, said) if said is not None and ids is not None else None

    def size(self, what: str) -> Known | None:
        """Return a parallel size of it, or of what it starts: `tensor`, `pipeline`, `context`, `data`."""
        for block, row in self._sized():
            option = row.copies if what == "data" else row.multiplied.get(what)
            if option is not None:
                return self.number(option, block, row)
        return None

    def factors(self) -> list[Known] | None:
        """Return the parallel sizes whose product is the number of processes of one copy of the model, where all are known."""
        for block, row in self._sized():
            if row.multiplied:
                found = [self.number(option, block, row) for option in row.multiplied.values()]
                sizes = [each for each in found if each is not None]
                return sizes if len(sizes) == len(found) else None
        return None

    def _sized(self) -> Iterator[tuple[Block, Program]]:
        yield self.block, self.program
        if self.inner is not None:
            row = programs(self.context.catalog)[self.inner.surface]
            yield self.inner, row

    def _product(self) -> list[Known] | None:
        """Return what is multiplied to the number of processes; those of other copies are on other nodes, or aren't."""
        row, sizes = self.program, self.factors()
        if sizes is None or row.copies is None:
            return sizes
        if any(self.is_set(option) for option in row.alone):
            return sizes
        local = row.local if row.local is not None and self.is_set(row.local) else row.copies
        copies = self.number(local)
        return [*sizes, copies] if copies is not None else None

    def _divided(self, sizes: list[Known] | None) -> Known | None:
        """Return how many of the processes run on this node."""
        nodes = self._number_of_nodes() if self.program.nodes is not None else 1
        if sizes is None or nodes is None or nodes < 1:
            return None
        number, rest = divmod(prod(each.number for each in sizes), nodes)
        said = tuple(setting for each in sizes if each.number != 1 for setting in each.said)
        return Known(number, said) if not rest and number <= _LARGEST else None

    def _number_of_nodes(self) -> int | None:
        return self.nodes.number if self.nodes is not None else None if self.program.nodes is not None else 1

    def _is_elsewhere(self) -> bool:
        """Return whether something else may decide where the processes run."""
        for option, values in self.program.elsewhere.items():
            if variable(option) is not None and self.is_set(option):
                return True
            for setting in self.settings(option):
                if not values or not setting.value.known or setting.value.data in values:
                    return True
        return False

    # -- options ----------------------------------------------------------------------------------------

    def number(self, option: str, block: Block | None = None, row: Program | None = None) -> Known | None:
        """Return the whole number that an option is, or is without being set; `None` where that isn't known."""
        block, row = block or self.block, row or self.program
        found = self.settings(option, block)
        if not found:
            default = row.default.get(option)
            return Known(default) if default is not None and not block.open else None
        setting = found[0] if variable(option) else self.last(found, block)
        number = whole(setting.value.data) if setting is not None and setting.value.known else None
        return Known(number, (setting,)) if number is not None and setting is not None else None

    def settings(self, option: str, block: Block | None = None) -> list[Setting]:
        """Return where an option is set, by whatever spelling; of a variable, the setting that counts."""
        name = variable(option)
        if name is not None:
            said = self.environment.value(name)
            return [said] if said is not None else []
        return options_of(self.context, block or self.block).get(plain(option), [])

    def setting(self, option: str) -> Setting | None:
        """Return where an option gets the value that counts; `None` where none is known for sure."""
        found = self.settings(option)
        last = found[0] if variable(option) and found else self.last(found, self.block) if found else None
        return last if last is not None and last.value.known else None

    def key(self, path: str) -> Setting | None:
        """Return the last setting of a key of the JSON or the dict in an argument: `compilation_config.cudagraph_mode`."""
        return next((each for each in reversed(self.keys) if each.name == path), None)

    @cached_property
    def keys(self) -> tuple[Setting, ...]:
        """What the JSON and the dicts in its arguments set, called as in a call; of a call, its arguments as well."""
        if self.program.called:
            return self.block.settings
        starts, blocks = _without_command(self.context)
        places = {each.value.origin or each.value.span for each in self.block.settings}
        inside = {at for start, end in places for at in range(bisect_left(starts, start), bisect_left(starts, end))}
        found = sorted((blocks[at] for at in inside), key=lambda block: block.id)
        return tuple(setting for block in found for setting in block.settings)

    def spelling(self, option: str) -> str:
        """Return what an option of a command is called where this one is written."""
        return option.replace("-", "_") if self.program.called else option

    def is_set(self, option: str) -> bool:
        """Return whether an option is set, or may be."""
        name = variable(option)
        return self.environment.is_set(name) if name is not None else bool(self.settings(option))

    def last(self, settings: list[Setting], block: Block) -> Setting | None:
        """Return the setting that counts: the last one, where nothing decides whether it is there."""
        around = self.branch if block.command is None else block.branch
        if all(dominates(setting.branch, around) for setting in settings):
            return settings[-1]
        values = {str(setting.value.data) if setting.value.known else None for setting in settings}
        return (
            settings[-1]
            if len(values) == 1
            and None not in values
            and any(dominates(setting.branch, around) for setting in settings)
            else None
        )

    # -- ports ------------------------------------------------------------------------------------------

    def ports(self) -> Iterator[Port]:
        """Yield the ports that it takes on this node."""
        for row in self.program.ports:
            if any(map(self.is_set, row.unless)) or (row.given and not any(map(self._is_given, row.given))):
                continue
            said = self.setting(row.option)
            number = whole(said.value.data) if said is not None else None
            if row.option in self.program.addresses and (found := self.settings(row.option)):
                # Whatever the host is: `${NODES[0]}:5000`.
                said = found[-1]
                number = whole(self.context.text(said.value.inside).rstrip("\"'").rpartition(":")[2])
            if said is None and not self.is_set(row.option) and not self.block.open:
                number = row.default
            if number is not None:
                yield Port(number, row, said)

    def _is_given(self, written: str) -> bool:
        """Return whether an option is set, to a certain value where one is written behind `=`."""
        name, sign, value = written.partition("=")
        said = self.setting(name) if sign else None
        return self.is_set(name) if not sign else said is not None and said.value.data == value

    def sources_before(self) -> bool:
        """Return whether a script that is sourced above it may set more variables than can be seen; those of CANN don't."""
        from npu_lsp.languages.shell.sourcing import sources_own

        around = nested(self.context.document, self.span.start)
        return any(sources_own(each.document, each.offset) for each in around)

    def runs_beside(self, other: Launch) -> bool:
        """Return whether it still runs on the same machine when `other`, which stands behind it, starts.

        In the body of a loop it is itself the other one.
        """
        if (
            not self.block.background
            or self.block.text != other.block.text
            or not run_together(self.branch, other.branch)
        ):
            return False
        if other is self:
            return bool(self.branch) and self.branch[-1].kind is Branching.LOOP
        if functions(self.branch) != functions(other.branch):
            return False
        from npu_lsp.languages.shell.order import may_end_between

        mine, its = (innermost(self.context.document, each.span.start) for each in (self, other))
        return mine.document is its.document and not may_end_between(mine.document, mine.offset, its.offset)


def device_ids(setting: Setting) -> tuple[int, ...] | None:
    """Return the devices of a list as the runtime reads them, `None` where it holds something else: that is told by itself."""
    value = setting.value
    if not value.known:
        return None
    parts = str(value.data).split(",")
    numbers = [whole(part) for part in parts]
    ids = [number for number in numbers if number is not None]
    return tuple(ids) if len(ids) == len(parts) and ids == sorted(set(ids)) else None


def whole(data: object) -> int | None:
    """Return the whole number that a value is, or that its text says."""
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    text = str(data) if isinstance(data, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@Memoized
def launches(context: Context) -> tuple[Launch, ...]:
    """Return what the commands and calls of a file start, in the order of the text."""
    rows = programs(context.catalog)
    started = [block for block in context.parsed.blocks if block.surface in rows and _starts(block, rows, context)]
    by_command: dict[Span, list[Block]] = {}
    for block in started:
        if block.command is not None:
            by_command.setdefault(block.command, []).append(block)
    return tuple(_launches(context, started, by_command))[:_MOST]


def _starts(block: Block, rows: Mapping[Surface, Program], context: Context) -> bool:
    """Return whether a block is one of a command or a call, not of the JSON or the dict in an argument of one."""
    if not rows[block.surface].called:
        return True
    # What all is a part of one argument, such as `KVTransferConfig(...)`, is handed to a call.
    return context.text(block.head).isidentifier() and not (
        block.settings and all("." in setting.name for setting in block.settings)
    )


def _launches(context: Context, started: Iterable[Block], by_command: dict[Span, list[Block]]) -> Iterator[Launch]:
    rows = programs(context.catalog)
    for block in started:
        row = rows[block.surface]
        if row.within:
            continue
        beside = by_command.get(block.command, []) if block.command is not None else []
        inner = next((each for each in beside if each.surface in row.inner), None)
        yield Launch(row, block, inner, context)


@Memoized
def _without_command(context: Context) -> tuple[list[int], list[Block]]:
    """Return the starts of all blocks that belong to no command, such as JSON and dicts, and these blocks, both in the order of the text."""
    blocks = sorted((block for block in context.parsed.blocks if block.command is None), key=lambda block: block.head)
    return [block.head.start for block in blocks], blocks


def options_of(context: Context, block: Block) -> dict[str, list[Setting]]:
    """Return the settings of a block by the names that the table of programs has for them."""
    return _options(context, block.id)


@Memoized
def _options(context: Context, number: int) -> dict[str, list[Setting]]:
    found: dict[str, list[Setting]] = {}
    for setting in context.parsed.blocks[number].settings:
        option = context.option(setting)
        found.setdefault(plain(option.name if option is not None else setting.name), []).append(setting)
    return found
