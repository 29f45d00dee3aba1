"""Writes the JSON Schema of the catalog's files: `python -m tests.authoring.schema`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from npu_lsp import catalog
from npu_lsp.catalog.form import LENIENT
from npu_lsp.text.toml_shape import Json
from tests.authoring.form import STRICT
from tests.authoring.json_schema import json_schema

PATH = Path(catalog.__file__).with_name("schema.json")


def schema() -> Json:
    """Return the schema of a file of any of the three forms."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "npu-lsp catalog file",
        "description": "One option with its surfaces, or many options, or fusion rules.",
        "if": {"required": ["options"]},
        "then": json_schema(LENIENT.many),
        "else": {
            "if": {"required": ["rules"]},
            "then": json_schema(STRICT.rules),
            "else": json_schema(STRICT.option),
        },
        "$defs": {name: json_schema(shape) for form in (STRICT, LENIENT) for name, shape in form.definitions.items()},
    }


def written() -> str:
    """Return the schema as it stands in the file."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
    sys.stdout.write(f"{PATH}\n")
