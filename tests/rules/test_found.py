"""Rules are found in their files, each once."""

from __future__ import annotations

from importlib import import_module

import pytest

from npu_lsp.linter.rule import Rule
from npu_lsp.rules import all_rules, rule_for


def test_each_rule_is_found_once_and_by_its_code() -> None:
    found = all_rules.__wrapped__()
    assert [type(rule) for rule in found] == [type(rule) for rule in all_rules()]
    assert [rule.code for rule in found] == sorted({rule.code for rule in found})
    assert len(found) > 70


@pytest.mark.parametrize(
    ("code", "name", "told"),
    [("NPU207", "other", "share the code NPU207"), ("NPU299", "set-twice", "share the name set-twice")],
)
def test_a_code_or_a_name_that_is_taken_is_an_error(
    code: str, name: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = type("Other", (Rule,), {"code": code, "name": name})
    monkeypatch.setattr(import_module("npu_lsp.rules.unused_suppression"), "Other", other, raising=False)
    with pytest.raises(RuntimeError, match=told):
        all_rules.__wrapped__()


def test_a_rule_that_another_file_imports_is_one() -> None:
    rule = rule_for("NPU207")
    again = import_module("npu_lsp.rules.unused_suppression")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(again, "Again", type(rule), raising=False)
        assert len(all_rules.__wrapped__()) == len(all_rules())


def test_a_rule_has_a_code_and_a_name() -> None:
    rule = rule_for("set-twice")
    assert rule is not None
    assert (rule_for(" npu207 "), rule_for("Set-Twice"), rule_for("NPU299"), rule_for("")) == (rule, rule, None, None)
