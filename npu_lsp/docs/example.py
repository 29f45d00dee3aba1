"""How an option is written where it belongs: the example that a person sees."""

from __future__ import annotations

import json
import re

from npu_lsp.catalog.model import Option, Scalar, Slot, Surface

_BARE = re.compile(r"[\w./,:=+%@-]+\Z")
_LINES = {Surface.OP_CACHE: "{name}={value}", Surface.OP_DEBUG: "{name}={value}"}
_KEYWORDS = {"jit_compile": "torch.npu.set_compile_mode(jit_compile={value})"}
"""Options of torch_npu that have a function of their own."""


def example(option: Option) -> str | None:
    """Return one line that sets `option` to a value as in real use; `None` where no good value is known."""
    if option.removed or option.deprecated or option.status in ("internal", "no_effect"):
        return None
    value = _value(option)
    if value is None or value == "":
        return None
    name, surface = option.name, option.surface
    if surface in (Surface.ATC, Surface.AOE):
        return f"--{name}={_shell(value)}"
    if surface is Surface.ENV:
        return f"export {name}={_shell(value)}"
    if surface is Surface.SESSION:
        return f'parameter_map["{name}"].{option.slot.value} = {_stored(option, value)}' if option.slot else None
    if surface is Surface.RUN_CONFIG:
        owner, _, own = name.rpartition(".")
        return f"{owner or 'NPURunConfig'}({own}={_python(value)})"
    if surface is Surface.GLOBAL_OPTIONS:
        return f"npu.global_options().{name} = {_python(value)}"
    if surface is Surface.TORCHAIR:
        return f"config.{name} = {_python(value)}"
    if surface is Surface.TORCH_NPU:
        if name in _KEYWORDS:
            return _KEYWORDS[name].format(value=_python(value))
        return f'torch.npu.set_option({{"{name}": {json.dumps(_text(value))}}})'
    if surface is Surface.GE:
        return f'"{name}": {json.dumps(_text(value), ensure_ascii=False)}'
    if surface is Surface.SINGLE_OP:
        return f'"{name.rpartition(".")[2]}": {json.dumps(value)}'
    if surface is Surface.AIPP:
        return f"{name}: {_text(value) if option.type != 'string' or option.values else json.dumps(value)}"
    return _LINES[surface].format(name=name, value=value) if surface in _LINES else None


def _value(option: Option) -> Scalar:
    """Return a documented example, else a listed value that holds everywhere, else the default."""
    if option.examples:
        return option.examples[0]
    if option.type in ("object", "list", "dict", "none"):
        return None
    listed = [each for each in option.values if each.supported and not each.deprecated]
    listed = [each for each in listed if not each.products and each.scenario is None] or listed
    if listed:
        usual = {default.value for default in option.defaults}
        return next((each.value for each in listed if each.value not in usual), listed[0].value)
    return option.default if option.type in ("int", "float") else None


def _stored(option: Option, value: Scalar) -> str:
    """Return a value as it goes into a field of a `parameter_map` entry."""
    if option.slot is not Slot.STRING:
        return _python(value)
    text = str(value)
    return f"b{_python(text)}" if text.isascii() else f"tf.compat.as_bytes({_python(text)})"


def _python(value: Scalar) -> str:
    if not isinstance(value, str):
        return repr(value)
    return f"'{value}'" if '"' in value and not set(value) & set("'\\\n") else json.dumps(value, ensure_ascii=False)


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shell(value: Scalar) -> str:
    text = _text(value)
    if _BARE.match(text):
        return text
    return f"'{text}'" if '"' in text else f'"{text}"'
