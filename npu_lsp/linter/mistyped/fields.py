"""Fields of text protobuf: texts stand in quotes, and nothing else does."""

from __future__ import annotations

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.linter.mistyped.model import TYPES, Correction, Mistyped
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Edit

_NAME = Text(en="one of its names", zh="枚举名")


def mistyped(setting: Setting, option: Option) -> Mistyped | None:
    """Return what is wrong with the quotes of a value."""
    value, free = setting.value, option.type == "string" and not option.values
    if (value.kind, free) not in ((ValueKind.STRING, False), (ValueKind.WORD, True)) or not value.known:
        return None
    edit = Edit(value.span, f'"{value.data}"' if free else value.data)
    return Mistyped(
        "unquoted" if free else "quoted",
        _NAME if option.values else TYPES[option.type].name,
        correction=Correction("quote" if free else "unquote", (edit,)),
    )
