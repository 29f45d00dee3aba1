"""Moves a setting to another option, its value by the correspondence that a page states."""

from __future__ import annotations

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.values import shown, text_of
from npu_lsp.text.bilingual import Text

_TITLE = Text(en='Replace by "{replacement}" = {value}', zh="替换为“{replacement}” = {value}")


def map_values(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the move; none for a value without a counterpart, or when the new option is set already."""
    gone = option.deprecated or option.preferred
    text = text_of(setting.value)
    if gone is None or gone.replacement is None or text is None:
        return []
    value = dict(gone.mapping).get(text)
    if value is None or gone.replacement in context.by_name(block):
        return []
    writer = writer_for(setting)
    renamed = writer.rename(context.document, setting, gone.replacement)
    rewritten = writer.set_value(context.document, setting, value, slot=setting.slot)
    if not renamed or not rewritten:
        return []
    title = _TITLE.to(context.language).format(replacement=gone.replacement, value=shown(value))
    return [Fix(title, (*renamed, *rewritten), Safety.UNSAFE)]
