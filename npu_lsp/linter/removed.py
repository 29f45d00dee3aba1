"""What an option that was removed still does, how bad it is that one is set, and whether a script sets it for old versions alone."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.model import Option, Removal
from npu_lsp.catalog.target import Target
from npu_lsp.languages.branches import Branch, Branching, exclusive
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Severity

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


_FIRST_CANN = "3.0"
"""What no page gives a version for was read before it at most: by the DDK."""


class Removed(NamedTuple):
    """An option that was removed, with what is known about that."""

    option: Option
    gone: Removal

    @classmethod
    def of(cls, option: Option) -> Removed | None:
        """Return `option` with its removal; `None` where it has none."""
        return cls(option, option.removed) if option.removed is not None else None

    def is_there(self, target: Target) -> bool:
        """Return whether the target is known to have the option still."""
        component = self.option.component
        version = self.gone.version or (_FIRST_CANN if component == CANN else None)
        return target.at_least(version, component) is False

    def heir(self, context: Context) -> Option | None:
        """Return the option that took its place, where that takes such values."""
        option, name = self.option, self.gone.replacement
        new = context.catalog.option(option.surface, name) if name is not None else None
        return new if new is not None and (new.type, new.grammar) == (option.type, option.grammar) else None

    @property
    def silent(self) -> bool:
        """Whether the tool goes on without it: it ignores every unknown name, or still takes this one."""
        ignored = self.option.surface.row.silent or self.option.status == "no_effect"
        return ignored and not self.gone.rejected

    @property
    def dead(self) -> bool:
        """Whether the setting can be deleted: the tool ignores it, nobody else reads it, and nothing took its place."""
        return self.silent and not self.gone.readers and not self._replaced

    @property
    def _replaced(self) -> bool:
        """Whether something took its place, under another name or as a key of a configuration."""
        keys = self.option.deprecated.keys if self.option.deprecated is not None else ()
        return bool(keys) or self.gone.replacement is not None

    @property
    def message(self) -> str:
        """The key of the message where its replacement doesn't stand beside it."""
        return "replaced" if self.gone.replacement else "shared" if self.gone.readers else "alone"

    def severity(self, *, idle: bool, named: bool = False) -> Severity | None:
        """Return how bad it is where the tool doesn't stop: what nothing reads or replaces only takes up a line.

        `idle`: it sets the default, or stands beside its replacement for whoever runs an older version. `named`: somebody says
        which version runs, so that the setting is lost there for sure.
        """
        if not self.silent:
            return None
        if idle:
            return Severity.HINT
        unread = self.option.surface.row.environment or self.option.status == "no_effect"
        return Severity.INFO if unread and not self._replaced and not named else Severity.WARNING
