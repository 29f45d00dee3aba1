"""Keeps apart what different functions set: nobody knows which of them run, and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.languages.branches import Arm, Branch, Branching
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.python.lines.scopes import MODULE
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
