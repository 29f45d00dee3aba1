"""Moves shape ranges to the option that takes them without brackets."""

from __future__ import annotations

from npu_lsp.catalog.grammar import check
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Fix, Safety
from npu_lsp.linter.values import shown, text_of
from npu_lsp.rules.fixes.remove import does_something
from npu_lsp.text.bilingual import Text

_TITLE = Text(en='Replace by "{replacement}" = {value}', zh="替换为“{replacement}” = {value}")


def strip_brackets(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the move of `a:[1~8,3];b:[2]` to `a:1~8,3;b:2`.

    The replacement is void while this option is set: where it is set too, it goes. There is no fix for a value that is
    wrong as it is.
    """
    value = _without_brackets(setting, option)
    gone = option.deprecated
    new = context.catalog.option(option.surface, gone.replacement) if gone and gone.replacement else None
    if value is None or new is None or any(check(new.grammar or "", value, new.surface)):
        return []
    writer = writer_for(setting)
    edits = (
        *writer.rename(context.document, setting, new.name),
        *writer.set_value(context.document, setting, value, slot=setting.slot),
    )
    companions = Companions.of_block(block, context)
    others = [other for other, _ in companions.of(None, new.name)]
    if len(others) >= MOST_OF_ONE or any(other.branch != setting.branch for other in others) or len(edits) < 2:
        return []
    removed = writer.remove(context.document, others) if others else ()
    if others and not removed:
        return []
    title = _TITLE.to(context.language).format(replacement=new.name, value=shown(value))
    # ATC turns such a text into that of the old option. Source: ge:compiler/api/aclgrph/option_utils.cc,
    # CheckAndTransferInputShapeToRange.
    same = _is_range(value) and not any(name.startswith("dynamic_") for name in context.by_name(block))
    same = same and companions.shows_all(new.name) and not any(does_something(other, context) for other in others)
    return [Fix(title, (*edits, *removed), Safety.SAFE if same else Safety.UNSAFE)]


def _without_brackets(setting: Setting, option: Option) -> str | None:
    """Return the shapes of a value as the other option takes them."""
    text = text_of(setting.value)
    if not text or any(check(option.grammar or "", text, option.surface)):
        return None
    # Without names, `],[` is what stands between two inputs.
    value = text.replace("],[", "];[").replace("[", "").replace("]", "")
    return value if _is_range(value) or ":" in value else None


def _is_range(value: str) -> bool:
    return "~" in value or "-1" in value
