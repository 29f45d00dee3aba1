"""What stands behind an `if` that leaves: it runs only where the `if` did not, as if it were in its other arm.

if debug:
op.parameter_map["op_debug_level"].i = 1
return
op.parameter_map["op_debug_level"].i = 0
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from npu_lsp.readers.model import Block, Setting
from npu_lsp.readers.python.scopes import leaves
from npu_lsp.readers.python.source import Source

_IMPLICIT = -1
"""The arm of an `else` that isn't written."""


def behind_leaving(blocks: Iterable[Block], source: Source) -> tuple[Block, ...]:
    """Return `blocks` with settings behind an `if` that leaves in the arm that goes on."""
    return tuple(_block(block, source) for block in blocks)


def _block(block: Block, source: Source) -> Block:
    owners = {owner for s in block.settings for owner, _ in s.branch if owner >= 0}
    for owner in sorted(owners):
        if owner >= len(source.skeleton.starts) or source.scopes.header(owner) != "if":
            continue
        arms = source.scopes.arms(owner)
        going_on = _going_on(arms, source)
        if going_on is None:
            continue
        end = source.scopes.suite_end(arms[-1])
        suite_end = source.scopes.suite_end(source.scopes.parent(owner)) if source.scopes.parent(owner) >= 0 else None
        settings = tuple(_setting(s, owner, going_on, end, suite_end, source) for s in block.settings)
        block = replace(block, settings=settings)
    return block


def _going_on(arms: list[int], source: Source) -> int | None:
    """Return the one arm that doesn't leave; `None` where there are several, or none."""
    staying = [arm for arm in arms if not leaves(source.text, source.skeleton.starts[_last(arm, source)])]
    if source.scopes.header(arms[-1]) != "else":
        staying.append(_IMPLICIT)
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


def _setting(setting: Setting, owner: int, arm: int, end: int, suite_end: int | None, source: Source) -> Setting:
    index = source.skeleton.at(setting.statement.start)
    if index is None or index < end or (suite_end is not None and index >= suite_end):
        return setting
    if any(where == owner for where, _ in setting.branch):
        return setting
    return replace(setting, branch=(*setting.branch, (owner, arm)))
