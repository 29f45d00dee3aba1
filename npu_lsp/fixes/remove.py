"""Takes an option out: one that has no effect any more, or one that doesn't belong there."""

from __future__ import annotations

from npu_lsp.catalog.model import Option
from npu_lsp.findings import Fix, Safety
from npu_lsp.language import Text
from npu_lsp.readers.model import Block, Setting
from npu_lsp.rules.context import Context
from npu_lsp.writers import writer_for

_TITLE = Text(en='Remove "{option}"', zh="删除“{option}”")


def remove(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the fix that takes the setting out with its line."""
    edits = writer_for(setting).remove(context.document, [setting])
    return [Fix(_TITLE.to(context.language).format(option=option.name), edits)] if edits else []


def take_out(setting: Setting, option: Option, block: Block, context: Context) -> list[Fix]:
    """Return the fix that takes out a setting that may count elsewhere; none where others get it from the same text."""
    if context.shared(setting, block):
        return []
    return [fix._replace(safety=Safety.UNSAFE) for fix in remove(setting, option, block, context)]
