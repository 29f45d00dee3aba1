"""Takes an option out: one that has no effect any more, or one that doesn't belong there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.model import Option
from npu_lsp.languages import read
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.languages.python.pure_calls import PURE
from npu_lsp.languages.variables import reads
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.around import is_read_by_script
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived
from npu_lsp.text.spans import Span

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
    if any(is_needed(setting, context) for setting in settings):
        return []
    edits = writer_for(settings[0]).remove(context.document, settings) if settings else ()
    if any(setting.surface.row.environment or does_something(setting, context) for setting in settings):
        safety = Safety.UNSAFE
    return [Fix(title, edits, safety)] if edits else []


def is_needed(setting: Setting, context: Context) -> bool:
    """Tell whether the text takes the value of a variable, or takes it out: a shell with `set -u` would stop, and `os.environ["X"]`."""
    if not setting.surface.row.environment:
        return False
    # What no reader takes for a script may be one: `eval 'echo $X'`, a text that is written into a file. And not every use has
    # the sign: `os.environ["X"]`, `$((X + 1))`, `[[ -v X ]]`.
    used = _parsed_uses(context.document).get(setting.name, ())
    return is_read_by_script(setting.name, setting.own, context.document) or any(
        not s.within(setting.own) for s in used
    )


@Derived
def _parsed_uses(document: Document) -> Mapping[str, Sequence[Span]]:
    """Return where the variables that a text sets are used, by name, as far as readers tell."""
    names = {
        setting.name for block in read(document).blocks if block.surface.row.environment for setting in block.settings
    }
    used: dict[str, list[Span]] = {}
    for each in reads(document, names.__contains__):
        used.setdefault(each.name, []).append(each.span)
    return used


def does_something(setting: Setting, context: Context) -> bool:
    """Tell whether more may happen where `setting` stands than that an option gets a value."""
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
