"""Names that the catalog doesn't have, where nothing else explains them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.linter.context import Context
from npu_lsp.linter.names.groups import is_free
from npu_lsp.linter.names.meant import is_before_all, last_part, other_place
from npu_lsp.linter.tensorflow.session import is_of_others
from npu_lsp.linter.versions.required import is_defined
from npu_lsp.text.globs import globs

_NESTED = where(lambda row: row.nested == "entries")
"""Surfaces where a name starts with those of the entries around it, up to a dot."""
_IN_FILES = where(lambda row: row.file and row.nested == "entries")
_ANY = frozenset({"flag", "option", "param", "parameter", "key", "arg", "argument"})
"""Names that stand for any name, where a text says what one looks like."""


def unknown(block: Block, context: Context) -> Iterator[Setting]:
    """Yield the settings of a block whose names no option has, and that are no placeholder, a stranger's or somebody's own."""
    # Whether a fusion rule exists is a rule of its own.
    if block.surface.row.named == "rules" or is_of_others(block, context):
        return
    if context.parsed.damaged and block.surface in _IN_FILES:
        return
    for setting in block.settings:
        if not setting.name or context.option(setting) is not None or is_known(setting.name, context):
            continue
        if context.catalog.of_others(setting.surface, setting.name):
            continue
        if is_placeholder(setting.name) or setting.name in _ANY or is_before_all(setting, context):
            continue
        if _is_inside_unknown(setting, context) or is_free(setting, context) or _is_its_own(setting, context):
            continue
        yield setting


def is_known(name: str, context: Context) -> bool:
    """Return whether the configuration says that a name is right."""
    # A stranger's list may be long, and its globs hostile: these are bounded.
    return name in context.known or bool(context.known and globs(context.known).verdict(name, name, folder=False))


def _is_its_own(setting: Setting, context: Context) -> bool:
    """Return whether a component's source has a key that the catalog has nowhere: one of the same name has its place there, too."""
    last = last_part(setting.name)
    if not is_defined(last, context.document.path, context.root):
        return False
    return last_part(other_place(setting, context) or "") != last


def _is_inside_unknown(setting: Setting, context: Context) -> bool:
    """Return whether the entry around this one is unknown, which is said there."""
    owner, dot, _ = setting.name.rpartition(".")
    return bool(dot) and setting.surface in _NESTED and context.lookup(setting.surface, owner) is None
