"""A script that sets the old name for old versions and the new one for new versions knows itself which of them counts."""

from __future__ import annotations

from itertools import islice

from npu_lsp.languages.branches import Branch, Branching, exclusive
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import MOST_OF_ONE, Context


def is_switch(setting: Setting, new: str | None, context: Context) -> bool:
    """Tell whether `new` is set in other arms of a condition around `setting`, and nowhere beside it."""
    arms = _conditions(setting.branch)
    if new is None or not arms:
        return False
    others = list(islice(context.named(setting.surface, new), MOST_OF_ONE))
    return bool(others) and all(exclusive(arms, _conditions(other.branch)) for other in others)


def _conditions(branch: Branch) -> Branch:
    return tuple(arm for arm in branch if arm.kind is Branching.CONDITION)
