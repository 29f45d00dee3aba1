"""Takes an option out: one that has no effect any more, or one that doesn't belong there."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.languages.python.pure_calls import PURE
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.variable_uses import is_used
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

_TITLE = Text(en='Remove "{option}"', zh="删除“{option}”")
_CALLED = re.compile(r"(?<!\w)(\w+)\s*\(")
_HARMLESS = PURE | {
    *("setattr", "update", "setdefault", "CopyFrom", "MergeFrom", "AttrValue", "dict", "list", "tuple", "bytes"),
    *("min", "max", "round", "repr", "split", "replace", "global_options", RUN_CONFIG, *RUN_CONFIG_PARTS),
}
"""Calls that change nothing: without their setting nobody misses them."""
_RUNS = re.compile(r"`|\$\((?!\()|\$\{\w+:?=|\bawait\b|\byield\b|:=|[\])]\s*\(")
"""A command in a value, what gives a name a value on the way, or a call of something that has no name."""


def removal(context: Context, title: str, settings: Sequence[Setting], *, safety: Safety = Safety.SAFE) -> list[Fix]:
    """Return the fix that takes `settings` out; none where that can't be done for sure, or where the text takes a variable's value.

    It is safe only where nothing else can notice: other programs may read a variable, and a value may be the result of
    something that has to be done.
    """
    if any(is_used(setting, context.document) for setting in settings):
        return []
    edits = writer_for(settings[0]).remove(context.document, settings) if settings else ()
    if any(setting.surface.row.environment or does_something(setting, context) for setting in settings):
        safety = Safety.UNSAFE
    return [Fix(title, edits, safety)] if edits else []


def does_something(setting: Setting, context: Context) -> bool:
    """Return whether the code of `setting` may do more than give an option its value, as a call within it may."""
    written = context.text(setting.own)
    if _RUNS.search(written):
        return True
    return setting.form not in (Form.FLAG, Form.ENTRY) and not _HARMLESS.issuperset(_CALLED.findall(written))


def remove(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the fix that takes the setting out; safe where it has no effect, and where others don't get it, too."""
    dead = option.status == "no_effect" and not context.shared(setting)
    title = _TITLE.to(context.language).format(option=option.name)
    return removal(context, title, [setting], safety=Safety.SAFE if dead else Safety.UNSAFE)


def take_out(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the fix that takes out a setting that may count elsewhere; none where others get it from the same text."""
    if context.shared(setting):
        return []
    return [fix._replace(safety=Safety.UNSAFE) for fix in remove(setting, option, block, context)]
