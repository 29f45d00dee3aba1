"""How an option is written where it belongs: the example that a person sees."""

from __future__ import annotations

import json

from npu_lsp.catalog.model import Option, Scalar, Slot, as_text
from npu_lsp.text import lazy_re as re

_BARE = re.compile(r"[\w./,:=+%@-]+\Z")


def example(option: Option) -> str | None:
    """Return one line that sets `option` to a value as in real use; `None` where no good value is known."""
    if option.removed or option.deprecated or option.status in ("internal", "no_effect"):
        return None
    value = _value(option)
    if value is None or value == "":
        return None
    return _line(option, value)


def _line(option: Option, value: Scalar) -> str | None:
    """Return the surface's line with what can stand in its braces."""
    template = option.surface.row.example
    if option.nargs == "0":
        # Such a flag takes no word: it stands alone, or not at all.
        return f"--{option.name}" if value is True else f"--no-{option.name}" if option.negatable else None
    if template is None or ("{slot}" in template and option.slot is None):
        return None
    owner, _, own = option.name.rpartition(".")
    return template.format(
        name=option.name,
        own=own,
        owner=owner or option.surface.row.tool,
        slot=option.slot.value if option.slot is not None else "",
        word=_shell(value),
        stored=_stored(option, value),
        python=_argument(option, value),
        arguments=_arguments(option, value),
        call=_call(option, owner),
        quoted=json.dumps(as_text(value), ensure_ascii=False),
        json=json.dumps(value),
        field=as_text(value) if option.type != "string" or option.values else json.dumps(value),
        plain=value,
    )


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


def _argument(option: Option, value: Scalar) -> str:
    """Return a value as Python has it: a constant with the module that it is in, and what stands in a list in one."""
    row = option.surface.row
    is_member = str(value).partition(".")[0] in row.members
    written = f"{next(iter(row.roots), row.tool)}.{value}" if is_member else _python(value)
    return f"[{written}]" if option.type == "list" and row.arguments else written


def _arguments(option: Option, value: Scalar) -> str:
    """Return a value as an argument, in the dicts that its name says: `ascend_config={"precision_mode": "force_fp32"}`."""
    first, *inner = option.name.split(".")
    opened = "".join(f'{{"{each}": ' for each in inner)
    return f"{first}={opened}{_python(value)}{'}' * len(inner)}"


def _call(option: Option, owner: str) -> str:
    """Return the full name of the call that takes the option."""
    taking = (call for call in option.surface.row.arguments if call.name == owner)
    return next((f"{call.modules[0]}.{call.name}" for call in taking), owner)


def _shell(value: Scalar) -> str:
    text = as_text(value)
    if _BARE.match(text):
        return text
    return f"'{text}'" if '"' in text else f'"{text}"'
