"""Gives a setting the name of the option that took the place of its own, where the values stay the same."""

from __future__ import annotations

from npu_lsp.catalog.model import Deprecation, Option, Removal
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.relations import is_set
from npu_lsp.linter.values import allows
from npu_lsp.text.bilingual import Text

_TITLE = Text(en='Replace "{option}" by "{replacement}"', zh="将“{option}”替换为“{replacement}”")


def rename(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the renaming; none when the replacement is set already or doesn't take the value.

    Safe only where the target is known to have the new name, and nothing that isn't known may set it already.
    """
    gone: Deprecation | Removal | None = option.deprecated or option.removed
    if gone is None or gone.replacement is None:
        return []
    new = context.catalog.option(option.surface, gone.replacement)
    if new is None or new.slot != option.slot:
        return []
    if setting.value.known and not allows(new, setting.value) and not new.open:
        return []
    if any(is_set(other, new) for other in context.by_name(block).get(new.name, ())):
        return []
    edits = writer_for(setting).rename(context.document, setting, new.name)
    title = _TITLE.to(context.language).format(option=option.name, replacement=new.name)
    # Whoever names no version may run one that has only the old name, or both with a meaning each.
    dated = context.target.is_sure(gone.version, option.component)
    alone = Companions.of_block(block, context).shows_all(new.name)
    return [Fix(title, edits, Safety.SAFE if dated and alone else Safety.UNSAFE)] if edits else []
