"""The group that a key stands in, whether all of its keys are known, and whether the tool stops at another one."""

from __future__ import annotations

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.near import nearest
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import Context

_GROUPED = where(lambda row: row.grouped)


def _group_of(setting: Setting, context: Context) -> Option | None:
    """Return the option that the keys around `setting` are of, where the catalog knows it."""
    return context.catalog.option(setting.surface, setting.name.rpartition(".")[0])


def is_refused(setting: Setting, context: Context) -> bool:
    """Return whether the group around a key stops the tool at a key that it doesn't know."""
    found = _refused_since(setting, context)
    return found is not None and context.target.at_least(*found) is True


def is_silent(setting: Setting, context: Context) -> bool:
    """Return whether the tool goes on without a word at a name that it doesn't know."""
    row = setting.surface.row
    group = _group_of(setting, context)
    silent = (
        row.silent
        or (group is not None and group.open)
        or any(call.silent and setting.name.startswith(call.prefix) for call in row.arguments)
    )
    return silent and not is_refused(setting, context)


def is_complete(setting: Setting, context: Context) -> bool:
    """Return whether every name is known that can stand there: of the surface, or of a group that refuses others."""
    return context.catalog.complete(setting.surface) or is_refused(setting, context)


def refusing(setting: Setting, context: Context) -> tuple[str, str] | None:
    """Return the version from which on the tool refuses the key, and its component, where the target says no version of it; else `None`."""
    found = _refused_since(setting, context)
    return found if found is not None and context.is_assumed(*found) else None


def is_converted(option: Option, context: Context) -> bool:
    """Return whether the target turns a text into what `option` takes: `"false"` into `false`."""
    since = context.catalog.checked(option.surface)
    return since is not None and context.target.at_least(since, option.component) is True


def _refused_since(setting: Setting, context: Context) -> tuple[str, str] | None:
    """Return the version, and of which component, since which the tool stops at a key that it doesn't know; `None` for never."""
    checked = context.catalog.checked(setting.surface)
    group = _group_of(setting, context)
    if group is None and checked is not None and "." not in setting.name:
        # All that stands at the top is of one component.
        group = context.catalog.option(setting.surface, min(context.catalog.names(setting.surface)))
        return (checked, group.component) if group is not None else None
    since = (group.refuses or checked) if group is not None else None
    return (since, group.component) if group is not None and since is not None else None


def is_free(setting: Setting, context: Context) -> bool:
    """Return whether nobody knows which keys the group around this one takes, or whether the group itself is told.

    A slip in one of the keys that are known of such a group is a slip all the same.
    """
    owner = _group_of(setting, context)
    if owner is None or setting.surface not in _GROUPED:
        return False
    start = len(owner.name) + 1
    parts = [name[start:] for name in context.catalog.names(setting.surface) if name.startswith(f"{owner.name}.")]
    if not parts or standing(owner, context.target).removed:
        return True
    return owner.open and nearest(setting.name[start:], parts, careful=True) is None
