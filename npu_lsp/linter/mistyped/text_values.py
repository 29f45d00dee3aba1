"""Words of a command line, of a file of lines or of an environment where a number is wanted."""

from __future__ import annotations

import re

from npu_lsp.catalog.model import Option, ValueType
from npu_lsp.languages.model import Setting
from npu_lsp.linter.mistyped.model import TYPES, Mistyped
from npu_lsp.linter.values import shown, text_of

_FORMS: dict[ValueType, re.Pattern[str]] = {
    "int": re.compile(r"[+-]?(?:\d+|0[xX][\da-fA-F]+)\Z", re.ASCII),
    "float": re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fF]?\Z", re.ASCII),
}
_STANDS_FOR = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+)+")
"""`prefill_node_port`: what a page says instead of a number."""
_LIST = re.compile(r"\d+(?:,[ ]?\d+)+")


def mistyped(setting: Setting, option: Option) -> Mistyped | None:
    """Return what is wrong with a word; lists and grammars have rules of their own."""
    text = text_of(setting.value)
    form = _FORMS.get(option.type)
    if form is None or not text or option.values or option.grammar or form.match(text):
        return None
    if option.surface.row.flags == "argparse" and _STANDS_FOR.fullmatch(text):
        return None
    if _LIST.fullmatch(text) and _is_of_tf_adapter(option):
        return None  # The script has it for the devices of a run.
    return Mistyped(
        "rejected" if option.enforced else "silent",
        TYPES[option.type].name,
        shown(text),
        setting.value.inside,
        # Which of the tools a script starts reads a variable, nobody knows.
        sure=option.enforced and not option.surface.row.environment,
    )


def _is_of_tf_adapter(option: Option) -> bool:
    """Tell whether TF Adapter alone reads a variable."""
    # Links show since when it is there.
    return {source.partition(":")[0] for source in option.sources} - {"https"} == {"tf"}
