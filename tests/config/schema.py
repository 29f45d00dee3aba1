"""Writes the configuration's form as JSON Schema, for editors that complete and check TOML: `python -m tests.config.schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from npu_lsp.config import house_rules, keys
from npu_lsp.config.keys import KEYS
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.severity import Severity
from npu_lsp.text.toml_shape import Json
from tests.authoring.json_schema import json_schema

PATH = Path(keys.__file__).parent / "schema.json"
"""The published file; a test keeps it equal to what `schema` returns."""


def schema() -> Json:
    """Return the schema of `npu-lsp.toml` and of `[tool.npu-lsp]`."""
    defaults = Config()
    properties: Json = {}
    for key in KEYS:
        properties[key.name] = {**json_schema(key.shape), "description": key.about.en}
        default = _plain(getattr(defaults, key.field, None))
        if default not in (None, [], {}) or isinstance(default, bool):
            properties[key.name]["default"] = default
    of_rule = properties["house-rules"]["additionalProperties"]["properties"]
    for name, rule_key in house_rules.KEYS.items():
        of_rule[name]["description"] = rule_key.about.en
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "npu-lsp.schema.json",
        "title": "npu-lsp",
        "description": "Configuration of npu-lsp: npu-lsp.toml, .npu-lsp.toml, or [tool.npu-lsp] in pyproject.toml.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def written() -> str:
    """Return the schema as its file has it."""
    return json.dumps(schema(), ensure_ascii=False, indent=2) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Severity):
        return value.value
    if isinstance(value, tuple) and not isinstance(value, TargetConfig):
        return list(value)
    return value if isinstance(value, (str, int, bool)) else None


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
