"""Which settings run together: an `if` that leaves is a branch of what stands behind it, and each function one of what stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from npu_lsp.languages.branches import UNWRITTEN, Arm, Branch, Branching
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.python.lines.scopes import MODULE, exits_early
from npu_lsp.languages.python.source import Source


def apart(blocks: Iterable[Block], source: Source) -> tuple[Block, ...]:
    """Return `blocks` with each function as a branch around its settings, where a block has some of several functions.

    A function counts as a branching with one arm: its settings exclude none, and don't surely meet those of another.
    """
    return tuple(_block(block, source) for block in blocks)


def _block(block: Block, source: Source) -> Block:
    around = [_around(setting, source) for setting in block.settings]
    if len(set(around)) < 2:
        return block
    settings = (s._replace(branch=branch + s.branch) for s, branch in zip(block.settings, around, strict=True))
    return block._replace(settings=tuple(settings))


def _around(setting: Setting, source: Source) -> Branch:
    index = source.logical_lines.at(setting.statement.start)
    functions: list[Arm] = []
    while index is not None and index != MODULE:
        index = source.scopes.function(index)
        if index != MODULE:
            functions.append(Arm(Branching.FUNCTION, (index,), 0))
    return tuple(reversed(functions))


_MOST = 20
"""How many of them are told of a setting: each pair of settings is compared arm by arm."""


class _EarlyExit(NamedTuple):
    """An `if` that leaves, and the lines that run only where it didn't: `[first, behind)`."""

    first: int
    behind: int
    arm: Arm
    """The arm that goes on."""


def behind_early_exit(blocks: Iterable[Block], source: Source) -> tuple[Block, ...]:
    """Return `blocks` with settings behind an `if` that leaves in the arm that goes on."""
    return tuple(_going_on_block(block, source) for block in blocks)


def _going_on_block(block: Block, source: Source) -> Block:
    owners = {arm.where[0] for s in block.settings for arm in s.branch if _is_own(arm)}
    exits = [found for owner in sorted(owners) if (found := _early_exit(owner, source)) is not None]
    if not exits:
        return block
    return block._replace(settings=tuple(_going_on_setting(setting, exits, source) for setting in block.settings))


def _early_exit(owner: int, source: Source) -> _EarlyExit | None:
    """Return what the branching at the line `owner` decides about the lines behind it, if it is an `if` that leaves."""
    scopes = source.scopes
    if owner >= len(source.logical_lines.starts) or scopes.header(owner) != "if":
        return None
    arms = scopes.arms(owner)
    going_on = _going_on(arms, source)
    if going_on is None:
        return None
    around = scopes.parent(owner)
    behind = scopes.suite_end(around) if around >= 0 else len(source.logical_lines.starts)
    return _EarlyExit(scopes.suite_end(arms[-1]), behind, Arm(Branching.CONDITION, (owner,), going_on))


def _going_on(arms: list[int], source: Source) -> int | None:
    """Return the one arm that doesn't leave; `None` where there are several, or none."""
    staying = [arm for arm in arms if not exits_early(source.text, source.logical_lines.starts[_last(arm, source)])]
    if source.scopes.header(arms[-1]) != "else":
        staying.append(UNWRITTEN)
    if len(staying) != 1 or len(staying) == len(arms) + 1:
        return None
    return 0 if staying[0] == arms[0] else staying[0]


def _last(arm: int, source: Source) -> int:
    """Return the last line of the suite's own level."""
    end = source.scopes.suite_end(arm)
    index = end - 1
    while index > arm and source.scopes.parent(index) != arm:
        index = source.scopes.parent(index)
    return index


def _going_on_setting(setting: Setting, exits: Sequence[_EarlyExit], source: Source) -> Setting:
    index = source.logical_lines.at(setting.statement.start)
    if index is None:
        return setting
    own = {arm.where[0] for arm in setting.branch if _is_own(arm)}
    around = (each for each in reversed(exits) if each.first <= index < each.behind and each.arm.where[0] not in own)
    # Behind more than these it may run or not, as far as what stands in the others is concerned.
    arms = [each.arm for each in islice(around, _MOST)]
    return setting._replace(branch=(*setting.branch, *reversed(arms))) if arms else setting


def _is_own(arm: Arm) -> bool:
    """Return whether an arm is one of the script's own: a command that it starts has others."""
    return arm.kind is Branching.CONDITION and len(arm.where) == 1
