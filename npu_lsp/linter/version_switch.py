"""A script that sets the old name for old versions and the new one for new versions knows itself which of them counts."""

from __future__ import annotations

from itertools import islice

from npu_lsp.languages.branches import Branch, Branching, exclusive
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import MOST_OF_ONE, Context

_CHOICES = frozenset({Branching.CONDITION, Branching.LIST})
"""Where one arm or the other runs; different functions and subshells may all run."""


def is_switch(setting: Setting, new: str | None, context: Context) -> bool:
    """Return whether `new` is set in other arms of a condition around `setting`, and nowhere beside it."""
    if new is None:
        return False
    arms = _conditions(setting.branch)
    others = list(islice(context.named(setting.surface, new), MOST_OF_ONE))
    return bool(others) and all(exclusive(arms, _conditions(other.branch)) for other in others)


def _conditions(branch: Branch) -> Branch:
    return tuple(arm for arm in branch if arm.kind in _CHOICES)
