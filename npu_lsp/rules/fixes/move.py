"""Moves a setting to the group that it belongs in, or gives it its new name there."""

from __future__ import annotations

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.values import allows
from npu_lsp.text.bilingual import Text

_TITLE = Text(en='Move it to "{name}"', zh="移至“{name}”")


def move(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the move to the option's replacement; safe where the target is known to read both places.

    Whoever names no version may run one that doesn't read the new place yet.
    """
    gone = option.removed or option.deprecated
    if gone is None or gone.replacement is None:
        return []
    dated = context.target.is_sure(gone.version, option.component)
    alone = Companions.of_block(block, context).shows_all(gone.replacement)
    safety = Safety.SAFE if dated and option.removed is None and alone else Safety.UNSAFE
    return move_to(setting, gone.replacement, block, context, safety)


def move_to(setting: Setting, name: str, block: Block, context: Context, safety: Safety = Safety.UNSAFE) -> list[Fix]:
    """Return the move to the option called `name`; none where that isn't there, is set already, or takes no such value."""
    new = context.catalog.option(setting.surface, name)
    if new is None or not standing(new, context.target).usable or context.shared(setting):
        return []
    if setting.value.known and not allows(new, setting.value):
        return []
    if any(_goes_there(other, name, context) for other in _before(setting, block)):
        return []  # One makes the group, and the others follow.
    edits = writer_for(setting).move(context.document, block, setting, name)
    return [Fix(_TITLE.to(context.language).format(name=name), edits, safety)] if edits else []


def _before(setting: Setting, block: Block) -> list[Setting]:
    return list(block.settings[: block.settings.index(setting)]) if setting in block.settings else []


def _goes_there(other: Setting, name: str, context: Context) -> bool:
    """Return whether another setting is to go to the same group, which isn't there yet."""
    group = name.rpartition(".")[0]
    option = context.option(other)
    gone = option and (option.removed or option.deprecated)
    return bool(gone and gone.replacement and group and gone.replacement.rpartition(".")[0] == group)
