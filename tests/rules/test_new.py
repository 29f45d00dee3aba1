"""The script that makes a rule's files: what it picks, and what it refuses."""

from __future__ import annotations

import pytest

from npu_lsp.rules import all_rules
from tests.rules.new import GROUPS, files, next_code, refusal
from tests.together import together

NAMES = {rule.name for rule in all_rules()}


def test_a_code_that_was_in_use_once_is_not_taken_again() -> None:
    assert next_code(1, ["NPU101", "NPU103", "NPU207"]) == "NPU104"
    assert next_code(6, ["NPU101"]) == "NPU601"
    with pytest.raises(ValueError, match="full"):
        next_code(1, ["NPU199"])


@together("group", GROUPS)
def test_every_group_has_room(group: int) -> None:
    codes = {rule.code for rule in all_rules()}
    assert next_code(group, codes) not in codes


def test_every_rule_is_of_a_group() -> None:
    assert {int(rule.code[3:]) // 100 for rule in all_rules()} == set(GROUPS)


@together(
    ("name", "chinese"),
    [("wrong-type", "类型错误"), ("WrongName", "名称"), ("a_b", "名称"), ("", "名称"), ("new-one", "no Chinese")],
)
def test_what_is_refused(name: str, chinese: str) -> None:
    assert refusal(name, chinese, NAMES)


def test_quotes_in_a_title_stay_in_its_text() -> None:
    assert refusal("new-one", "新规则", NAMES) is None
    rule, page = files("new-one", "NPU999", "warning", 'The "one"', "“新”规则").values()
    compile(rule, "new_one.py", "exec")
    assert "class NewOne(Rule):" in rule
    assert page.startswith("“新”规则。")
