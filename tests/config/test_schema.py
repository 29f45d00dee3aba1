"""The published schema says what the program does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from npu_lsp.config.keys import FORM, KEYS
from npu_lsp.linter.configuration import KEY_NAMES
from npu_lsp.text.toml import parse
from tests.checking.command import npu_lsp
from tests.config.schema import PATH, schema, written
from tests.golden import made_by
from tests.together import together

SCHEMA: Any = schema()


def test_the_file_is_up_to_date() -> None:
    made_by({PATH: written()}, "python -m tests.config.schema")


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_key_has_a_field_and_the_other_way_round() -> None:
    assert {key.name for key in KEYS} == KEY_NAMES


def test_every_key_is_explained_in_both_languages() -> None:
    for key in KEYS:
        assert key.about.en.endswith("."), key.name
        assert key.about.zh.endswith("。"), key.name


@together(
    "text",
    [
        "",
        'extend = "a"\nselect = ["ALL", "NPU1", "wrong-slot"]\n[target]\ncann = "8.0"\nproducts = ["a2"]\n',
        '[severity]\nNPU101 = "info"\n[per-file-ignores]\n"*.py" = ["NPU1"]\n',
        "max-file-size = 1\nforce-exclude = true\ncache = false\n",
        'slect = ["ALL"]\n',
        'select = "ALL"\n',
        'select = ["?"]\n',
        'language = "de"\n',
        '[severity]\nNPU101 = "fatal"\n',
        "[target]\ncann = 8\n",
        'cache = "no"\n',
    ],
)
def test_schema_and_program_agree(text: str) -> None:
    table = parse(text)
    ours = not list(FORM.problems(table, ""))
    theirs = jsonschema.Draft202012Validator(SCHEMA).is_valid(table)
    assert ours is theirs


def test_the_command_prints_it(tmp_path: Path) -> None:
    assert json.loads(npu_lsp("config", "--schema", cwd=tmp_path).out) == SCHEMA
