"""The form of a house rule, `[house-rules.NAME]`: its keys and what each means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.toml_shape import Choice, Either, Items, Only, Plain, Shape, TableShape, WordShape

_WORD = WordShape()
_SCALAR = Plain(("string", "integer", "number", "boolean"))
_SCALARS = Either((_SCALAR, Items(_SCALAR, 1)))
_NUMBER = Plain(("integer", "number"))
_FLAG = Only(True)
_SURFACE = Choice(tuple(surface.value for surface in Surface))
_SETTING = WordShape(says=Text("an option's name", "配置项名称"))
_PART = WordShape(says=Text("a key of the file", "文件中的键"))
_REF = Either(
    (_SETTING, TableShape({"setting": _SETTING, "surface": _SURFACE, "value": _SCALARS, "part": _PART}, ("setting",)))
)
_REFS = Either(
    (
        _SETTING,
        Items(_REF, 1),
        TableShape({"setting": _SETTING, "surface": _SURFACE, "value": _SCALARS, "part": _PART}, ("setting",)),
    )
)
_SPEC = WordShape(says=Text('versions such as ">=8.5, <9"', '形如 ">=8.5, <9" 的版本范围'))
_TEXTS = Items(WordShape(), 1)
_CONDITION = TableShape(
    {**dict.fromkeys(COMPONENTS, _SPEC), "products": _TEXTS, "models": _TEXTS, "programs": _TEXTS},
)
_EXAMPLE = TableShape(
    {"bad": _WORD, "good": _WORD, "language": Choice(tuple(kind.value for kind in Kind)), "fixed": _WORD},
    some_of=("bad", "good"),
)


class HouseKey(NamedTuple):
    """One key of a house rule."""

    shape: Shape
    about: Text


KEYS: Mapping[str, HouseKey] = {
    "setting": HouseKey(
        _SETTING,
        Text("The option that the rule is about, as it is written there.", "规则针对的配置项，按原样书写。"),
    ),
    "surface": HouseKey(
        _SURFACE,
        Text("Where it is written, if not wherever it can be.", "配置项的书写位置；缺省时为所有位置。"),
    ),
    "value": HouseKey(
        _SCALARS,
        Text("The rule is about these values only; `*part*` works.", "仅针对这些取值；支持 `*片段*`。"),
    ),
    "part": HouseKey(
        _PART,
        Text(
            "The part of a deployment's file that it stands in: `mindie_server_decode_config`, `mindie_common_env`.",
            "配置项所在的部署文件部分：`mindie_server_decode_config`、`mindie_common_env` 等。",
        ),
    ),
    "require": HouseKey(
        _FLAG,
        Text(
            "It must be set: in each launch that takes it, in each file that has such options.",
            "必须设置：每次启动、每个含此类配置项的文件。",
        ),
    ),
    "forbid": HouseKey(
        Either((_FLAG, Items(_SCALAR, 1), _SCALAR)),
        Text("It must not be set; or not to these values.", "不得设置，或不得为这些取值。"),
    ),
    "between": HouseKey(
        Items(_NUMBER, 2),
        Text("The least and the greatest number that is allowed.", "允许的最小值和最大值。"),
    ),
    "at-least": HouseKey(_NUMBER, Text("The least number that is allowed.", "允许的最小值。")),
    "at-most": HouseKey(_NUMBER, Text("The greatest number that is allowed.", "允许的最大值。")),
    "one-of": HouseKey(Items(_SCALAR, 1), Text("The values that are allowed.", "允许的取值。")),
    "equals": HouseKey(_REF, Text("Another option that must have the same value.", "取值必须与之相同的另一配置项。")),
    "only-with": HouseKey(
        _REFS,
        Text(
            'What must be set beside it: `"NAME"`, `"NAME=VALUE"`, or a list.',
            '必须同时设置的配置项：`"名称"`、`"名称=取值"` 或列表。',
        ),
    ),
    "never-with": HouseKey(
        _REFS,
        Text(
            'What must not be set beside it: `"NAME"`, `"NAME=VALUE"`, or a list.',
            '不得同时设置的配置项：`"名称"`、`"名称=取值"` 或列表。',
        ),
    ),
    "in-files": HouseKey(
        Items(WordShape(says=Text("a glob", "通配模式")), 1),
        Text("Globs of the files in which the rule holds.", "规则适用文件的通配模式。"),
    ),
    "for": HouseKey(
        _CONDITION,
        Text(
            "Versions, products, models and programs for which the rule holds; where nobody says them, it doesn't.",
            "规则适用的版本、产品、模型和程序；无法确定时不适用。",
        ),
    ),
    "message": HouseKey(
        Either((WordShape(), TableShape({"en": WordShape(), "zh": WordShape()}, some_of=("en", "zh")))),
        Text(
            "What is said, in one language or as `{ en, zh }`; `{option}`, `{value}` and `{other}` are filled in.",
            "提示信息，可写为 `{ en, zh }`；会填入 `{option}`、`{value}` 和 `{other}`。",
        ),
    ),
    "severity": HouseKey(
        Choice(tuple(each.value for each in Severity)),
        Text("How grave it is; left out: `warning`.", "严重级别；缺省为 `warning`。"),
    ),
    "fix": HouseKey(
        Either(
            (
                _SCALAR,
                TableShape(
                    {"value": _SCALAR, "remove": _FLAG, "safe": Plain(("boolean",))}, some_of=("value", "remove")
                ),
            )
        ),
        Text(
            "The value that the fix sets, or `{ value, safe = true }` where `--fix` may do so unasked, or `{ remove = true }`.",
            "修复时设置的取值；写为 `{ value, safe = true }` 时 `--fix` 可直接修复；`{ remove = true }` 表示删除。",
        ),
    ),
    "examples": HouseKey(
        Items(_EXAMPLE),
        Text(
            "Texts with a finding of the rule (`bad`, perhaps `fixed`) or without one (`good`), with their `language`; `npu-lsp config --test` runs them.",
            "应当报告（`bad`，可附 `fixed`）或不应报告（`good`）的文本及其语言 `language`；由 `npu-lsp config --test` 运行。",
        ),
    ),
}
FORM = TableShape({name: key.shape for name, key in KEYS.items()}, ("setting",))
"""What one house rule looks like."""
