"""`npu-lsp schema`: each schema is one, takes what is right, and refuses what is wrong by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from npu_lsp.catalog.load import load
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Target
from npu_lsp.docs.json_schema import FORMS, json_schema
from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.checking.command import npu_lsp

TOLD = {"NPU101", "NPU103", "NPU106", "NPU109"}
"""What a schema can tell, too."""
OF_FRAGMENTS = {"required", "minLength"}
"""What is only wrong with a whole file: examples show parts."""


def examples() -> Iterator[tuple[str, Document, Any]]:
    """Yield the rules' examples in JSON with the name of the schema that they belong to."""
    valid = {(each.text, each.kind) for rule in all_rules() for each in rule.valid}
    for text, kind in valid | {(each.text, each.kind) for rule in all_rules() for each in rule.invalid}:
        try:
            content = json.loads(text)
        except ValueError:
            continue
        document = Document(text, kind=kind)
        blocks = read(document).blocks
        if kind is Kind.MINDIE and blocks:
            surface = blocks[0].surface
            deployed = any(block.receiver for block in blocks) and surface is not Surface.PYMOTOR
            name = "mindie_deploy" if deployed else surface.value
        else:
            name = kind.value
        if name in FORMS:
            yield name, document, content


@pytest.mark.parametrize("name", sorted(FORMS))
def test_it_is_a_schema_and_tells_both_languages(name: str) -> None:
    for language in ("en", "zh"):
        schema = json_schema(name, load(), language, Target())
        Draft202012Validator.check_schema(schema)
        described = list(_described(schema))
        assert described
        assert all(
            node["description"] == node.get("x-description", {}).get(language, node["description"])
            for node in described
        )
        assert all(node["description"] for node in described)


def _described(node: Any) -> Iterator[dict[str, Any]]:
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _described(each)
    if isinstance(node, dict) and isinstance(node.get("description"), str):
        yield node


def test_examples_that_are_right_are_taken_and_wrong_ones_refused() -> None:
    analyzer, catalog = Analyzer(Config(), all_rules), load()
    right = wrong = 0
    for name, document, content in examples():
        codes = {finding.code for finding in analyzer.findings(document)}
        schema = json_schema(name, catalog, "en", Target())
        errors = [
            each for each in Draft202012Validator(schema).iter_errors(content) if each.validator not in OF_FRAGMENTS
        ]
        if not codes:
            right += 1
            assert errors == [], document.text
        elif codes & TOLD and not FORMS[name].loose:
            wrong += 1
            assert list(Draft202012Validator(schema).iter_errors(content)), document.text
    assert right > 30
    assert wrong > 8


WRONG = [
    ("mindie", {"ServerConfig": {"port": "80"}}, ["ServerConfig", "port"]),
    ("additional_config", {"enable_cpu_binding": "yes"}, ["enable_cpu_binding"]),
    ("compilation_config", {"compile_cache_save_format": "zip"}, ["compile_cache_save_format"]),
    ("acl_json", {"dump": []}, ["dump"]),
    (
        "mindie_deploy",
        {"mindie_server_prefill_config": {"ServerConfig": {"port": []}}},
        ["mindie_server_prefill_config", "ServerConfig", "port"],
    ),
    (
        "pymotor",
        {"motor_engine_prefill_config": {"engine_type": "vlm"}},
        ["motor_engine_prefill_config", "engine_type"],
    ),
]


@pytest.mark.parametrize(("name", "content", "where"), WRONG)
def test_a_slip_is_found_where_it_stands(name: str, content: Any, where: list[str]) -> None:
    schema = json_schema(name, load(), "en", Target())
    assert where in [list(each.path) for each in Draft202012Validator(schema).iter_errors(content)]


def test_parts_of_a_deployment_need_not_say_what_they_are_laid_over() -> None:
    schema = json_schema("mindie_deploy", load(), "en", Target())
    parts: dict[str, dict[str, object]] = {
        f"mindie_{name}_config": {"ServerConfig": {"inferMode": "dmi"}}
        for name in ("server_prefill", "server_decode", "ms_controller", "ms_coordinator")
    }
    parts["mindie_server_decode_config"]["BackendConfig"] = {"ModelDeployConfig": {"truncation": False}}
    assert list(Draft202012Validator(schema).iter_errors(parts)) == []
    errors = Draft202012Validator(schema).iter_errors({**parts, "deploy_config": {}})
    assert {each.validator for each in errors} == {"required"}


def test_the_command(tmp_path: Path) -> None:
    names = npu_lsp("schema", "--list", cwd=tmp_path)
    assert names.out.split() == sorted(FORMS)
    (tmp_path / "ours.toml").write_text(
        '[options.our_key]\nsummary = "Ours."\n[options.our_key.additional_config]\ntype = "int"\n'
    )
    (tmp_path / "npu-lsp.toml").write_text('catalog = ["ours.toml"]\n')
    for language, word in (("en", "default"), ("zh", "默认")):
        ran = npu_lsp("schema", "additional_config", "--lang", language, cwd=tmp_path)
        assert (ran.code, ran.err) == (0, "")
        schema = json.loads(ran.out)
        assert schema["properties"]["our_key"]["description"] == "Ours."
        assert word in ran.out
    assert npu_lsp("schema", "minide", cwd=tmp_path).code == 2
