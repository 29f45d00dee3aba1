"""The group that a key stands in, and whether it stops the tool at a key that it doesn't know."""

from __future__ import annotations

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import Context

_GROUPED = where(lambda row: row.grouped)


def group_of(setting: Setting, context: Context) -> Option | None:
    """Return the option that the keys around `setting` are of, where the catalog knows it."""
    return context.catalog.option(setting.surface, setting.name.rpartition(".")[0])


def is_refused(setting: Setting, context: Context) -> bool:
    """Tell whether the group around a key stops the tool at a key that it doesn't know."""
    group = group_of(setting, context)
    return group is not None and context.target.at_least(group.refuses, group.component) is True


def refusing(setting: Setting, context: Context) -> Option | None:
    """Return the group that may stop the tool: newer versions of it do, and nobody says which one runs."""
    group = group_of(setting, context)
    return group if group is not None and context.is_assumed(group.refuses, group.component) else None


def is_free(setting: Setting, context: Context) -> bool:
    """Tell whether nobody knows which keys the group around this one takes, or whether the group itself is told."""
    owner = group_of(setting, context)
    if owner is None or setting.surface not in _GROUPED:
        return False
    parts = (name for name in context.catalog.names(setting.surface) if name.startswith(f"{owner.name}."))
    return owner.open or standing(owner, context.target).removed or next(parts, None) is None
