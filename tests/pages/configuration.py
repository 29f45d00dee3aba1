"""The table of the configuration's keys: what each takes, what holds without it, what it does."""

from __future__ import annotations

from npu_lsp.config.house_rules import KEYS as HOUSE_KEYS
from npu_lsp.config.keys import KEYS
from npu_lsp.docs.markdown import code
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Language, Text, say
from npu_lsp.text.toml_shape import Choice, Items, Plain, Shape, TableShape, WordShape

_COLUMNS = Text(
    en="| key | takes | default | what it does |\n| --- | --- | --- | --- |\n",
    zh="| 键 | 取值 | 默认值 | 说明 |\n| --- | --- | --- | --- |\n",
)
_HOUSE_COLUMNS = Text(en="| key | what it says |\n| --- | --- |\n", zh="| 键 | 说明 |\n| --- | --- |\n")
_LIST = Text("a list, each {}", "列表，每项为{}")
_TABLE = Text("a table; each value is {}", "表，每个值为：{}")
_TYPES = {"boolean": Text("`true` or `false`", "`true` 或 `false`"), "integer": Text("a whole number", "整数")}


def keys(language: Language) -> str:
    """Return a row for each key."""
    rows = (
        f"| `{key.name}` | {_takes(key.shape, language)} | {_default(key.field)} | {key.about.to(language)} |\n"
        for key in KEYS
    )
    return _COLUMNS.to(language) + "".join(rows)


def house_keys(language: Language) -> str:
    """Return a row for each key of a house rule."""
    rows = (f"| `{name}` | {key.about.to(language)} |\n" for name, key in HOUSE_KEYS.items())
    return _HOUSE_COLUMNS.to(language) + "".join(rows)


def _takes(shape: Shape, language: Language) -> str:
    if isinstance(shape, WordShape):
        return say(shape.says, language)
    if isinstance(shape, Choice):
        return ", ".join(map(code, shape.words))
    if isinstance(shape, Plain):
        return ", ".join(_TYPES[name].to(language) for name in shape.types)
    if isinstance(shape, Items):
        return _LIST.to(language).format(_takes(shape.of, language))
    if isinstance(shape, TableShape):
        if shape.rest is not None:
            return _TABLE.to(language).format(_takes(shape.rest, language))
        return ", ".join(map(code, shape.keys))
    raise TypeError(shape)


def _default(field: str) -> str:
    value = Config._field_defaults.get(field)
    if isinstance(value, bool):
        return code(str(value).lower())
    if isinstance(value, str | int):
        return code(getattr(value, "value", str(value)))
    return " ".join(map(code, value)) if type(value) is tuple else ""
