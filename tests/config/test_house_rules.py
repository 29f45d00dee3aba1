"""House rules in configurations: their mistakes, their examples, and those of msprechecker's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from npu_lsp.config.cmate import house_rules_of
from npu_lsp.config.cmate_syntax import CmateError
from npu_lsp.config.house_rules import KEYS
from npu_lsp.text.toml import parse
from tests.checking.command import check, npu_lsp
from tests.pages import ROOT
from tests.test_printed import blocks

RULE = '[house-rules.ours]\nsetting = "HCCL_CONNECT_TIMEOUT"\nat-least = 1200\n'
WRONG = [
    ('[house-rules.ours]\nsetting = "HCCL_CONECT_TIMEOUT"\nforbid = true\n', "did you mean 'HCCL_CONNECT_TIMEOUT'?"),
    ('[house-rules.ours]\nsetting = "HCCL_CONNECT_TIMEOUT"\nat-lest = 3\n', "did you mean 'at-least'?"),
    ('[house-rules.ours]\nsetting = "HCCL_CONNECT_TIMEOUT"\n', "says nothing that must hold"),
    (RULE + "at-most = 3\n", "two rules"),
    (RULE + "fix = 3\n", "doesn't allow 3"),
    (RULE + 'for = { products = ["a7x"] }\n', "there is no product 'a7x'"),
    (RULE + 'for = { programs = ["vlm"] }\n', "there is no program 'vlm'"),
    (RULE + 'for = { cann = "new" }\n', "'new' names no versions"),
    (RULE + 'surface = "atc"\n', "there is no option 'HCCL_CONNECT_TIMEOUT' on atc"),
    (RULE + 'examples = [{ good = "a", bad = "b" }]\n', "either good or bad"),
    (RULE.replace("at-least = 1200", "between = [3, 2]"), "the least and the greatest"),
    (RULE.replace("at-least = 1200", 'only-with = "HCCL_EXEC_TIMOUT"'), "did you mean 'HCCL_EXEC_TIMEOUT'?"),
    (RULE.replace("ours", "unknown-option"), "has a rule called 'unknown-option' already"),
    (RULE.replace("ours", "Our_Rule"), "is no name for a rule"),
    ('[house-rules.ours]\nsetting = "enable-sleep-mode"\nat-least = 3\n', "is no number"),
    ('[house-rules.ours]\nsetting = "HCCL_OP_EXPANSION_MODE"\none-of = ["AVI"]\n', "doesn't take 'AVI'"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=range(len(WRONG)))
def test_mistakes_are_errors_of_the_configuration(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text(text)
    (tmp_path / "a.sh").write_text("echo\n")
    ran = check(cwd=tmp_path)
    assert ran.code == 2
    assert said in ran.err, ran.err
    assert "npu-lsp.toml" in ran.err


def test_examples_are_tried(tmp_path: Path) -> None:
    examples = 'examples = [{ bad = "export HCCL_CONNECT_TIMEOUT=1", fixed = "export HCCL_CONNECT_TIMEOUT=1200" }]\nfix = 1200\n'
    (tmp_path / "npu-lsp.toml").write_text(RULE + examples)
    ran = npu_lsp("config", "--test", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "ours: 1 examples, as they say\n")
    for old, new, said in (
        ('=1"', '=1200"', "nothing is said of this bad example"),
        ("bad", "good", "something is said of this good example"),
        ('=1200"', '=1300"', "its fix makes"),
    ):
        text = RULE + examples.replace(old, new)
        text = text.replace(', fixed = "export HCCL_CONNECT_TIMEOUT=1200"', "") if old == "bad" else text
        (tmp_path / "npu-lsp.toml").write_text(text)
        ran = npu_lsp("config", "--test", cwd=tmp_path)
        assert ran.code == 1, text
        assert said in ran.out


@pytest.mark.parametrize("name", ["house-rules.md", "house-rules.zh.md"])
def test_the_rules_of_the_page_do_what_it_says(name: str, tmp_path: Path) -> None:
    shown = [block.body for block in blocks(ROOT / "docs" / name) if block.kind == "toml"]
    (tmp_path / "npu-lsp.toml").write_text(shown[0])
    assert npu_lsp("config", "--test", cwd=tmp_path).code == 0
    (tmp_path / "a.sh").write_text(
        "export HCCL_CONNECT_TIMEOUT=600\nexport PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\nvllm serve m --enable-sleep-mode\n"
    )
    codes = check("--select", "HOUSE", cwd=tmp_path).codes
    assert sorted(codes) == ["long-connect-timeout", "name-the-interface", "no-segments-with-sleep"]
    assert npu_lsp("check", "--fix", ".", cwd=tmp_path).code == 1
    assert "HCCL_CONNECT_TIMEOUT=1200" in (tmp_path / "a.sh").read_text()


def test_files_of_rules_are_shared(tmp_path: Path) -> None:
    (tmp_path / "cluster.toml").write_text(RULE + RULE.replace("ours", "theirs"))
    own = 'extend = "cluster.toml"\n' + RULE.replace("1200", "300")
    (tmp_path / "npu-lsp.toml").write_text(own)
    (tmp_path / "a.sh").write_text("export HCCL_CONNECT_TIMEOUT=600\n")
    assert check(cwd=tmp_path).codes == ["theirs"]
    ran = npu_lsp("config", "--format", "json", cwd=tmp_path)
    assert json.loads(ran.out)["values"]["house-rules"]["ours"]["at-least"] == 300


def test_every_report_has_them(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text(RULE)
    (tmp_path / "a.sh").write_text("export HCCL_CONNECT_TIMEOUT=600\n")
    for form in (
        "sarif",
        "json",
        "junit",
        "gitlab",
        "github",
        "html",
        "csv",
        "concise",
        "markdown",
        "rdjson",
        "checkstyle",
        "azure",
    ):
        ran = npu_lsp("check", ".", "--output-format", form, cwd=tmp_path)
        assert ran.code == 1, form
        assert "ours" in ran.out, form
    assert npu_lsp("check", ".", "--baseline", "known.json", "--write-baseline", cwd=tmp_path).code == 0
    assert npu_lsp("check", ".", "--baseline", "known.json", cwd=tmp_path).code == 0
    assert "HCCL_CONNECT_TIMEOUT" in npu_lsp("rule", "ours", cwd=tmp_path).out


def test_a_changed_rule_is_not_answered_from_memory(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text(RULE)
    (tmp_path / "a.sh").write_text("export HCCL_CONNECT_TIMEOUT=600\n")
    remember = {"NPU_LSP_NO_CACHE": ""}
    assert npu_lsp("check", ".", cwd=tmp_path, env=remember).code == 1
    (tmp_path / "npu-lsp.toml").write_text(RULE.replace("1200", "100"))
    assert npu_lsp("check", ".", cwd=tmp_path, env=remember).code == 0


def test_every_key_is_told_in_both_languages() -> None:
    assert all(key.about.en != key.about.zh for key in KEYS.values())


CMATE = """\
[metadata]
name = 'ours'
---
[dependency]
mies_config: 'a file' @ 'json'
---
[global]
tp = ${mies_config::BackendConfig.ModelDeployConfig.ModelConfig[0].tp} or 1
if ${context::deploy_mode} == 'ep':
    sp = ${mies_config::BackendConfig.ModelDeployConfig.ModelConfig[0].sp}
fi
---
[par env]
assert ${HCCL_BUFFSIZE} == '512', 'buffer', info  # a comment
assert ${TASK_QUEUE_ENABLE} in [NA, '1', '2'], 'queue'
assert ${HCCL_EXEC_TIMEOUT} == NA, 'none', warning
assert int(${HCCL_CONNECT_TIMEOUT}) > 120 and ${HCCL_CONNECT_TIMEOUT} <= 7200, 'between'
assert not (${HCCL_INTRA_PCIE_ENABLE} == '1' and ${HCCL_INTRA_ROCE_ENABLE} == '1'), 'never'
assert path_exists(${ASCEND_HOME_PATH}), 'machine'
assert ${NO_SUCH_VARIABLE_AT_ALL} == 1, 'unknown'
if ${context::npu_type} == 'A2':
    assert ${HCCL_OP_EXPANSION_MODE} == 'AIV', 'a2 only', error
elif ${context::deploy_mode} == 'ep':
    assert ${HCCL_DETERMINISTIC} == 'true', 'not a2'
fi
---
[par mies_config]
assert ${BackendConfig.ModelDeployConfig.ModelConfig[0].tp} == ${BackendConfig.ModelDeployConfig.ModelConfig[0].sp}, 'same'
assert ${tp} >= 2, 'of a variable'
for each in ${ServerConfig}:
    assert ${ServerConfig.port} == 1, 'loop'
done
"""


def test_assertions_become_rules() -> None:
    made = house_rules_of(CMATE)
    rules = {str(rule["message"]["zh"]): rule for rule in made.rules.values()}
    assert {key: rules["buffer"][key] for key in ("one-of", "require", "severity")} == {
        "one-of": ["512"],
        "require": True,
        "severity": "info",
    }
    assert "require" not in rules["queue"]
    assert rules["none"]["forbid"] is True
    assert rules["between"]["between"] == [121, 7200]
    assert rules["never"]["never-with"]["setting"] == "HCCL_INTRA_ROCE_ENABLE"
    assert rules["a2 only"]["for"] == {"products": ["a2"]}
    assert rules["same"]["equals"]["setting"].endswith(".sp")
    assert rules["of a variable"]["at-least"] == 2
    assert {each.message for each in made.left} == {"machine", "unknown", "not a2", "loop"}
    assert (made.assertions, made.converted) == (12, 8)
    assert all(each.why.en and each.why.zh for each in made.left)


def test_a_scene_decides() -> None:
    rules = house_rules_of(CMATE, {"npu_type": "A3", "deploy_mode": "ep"}).rules.values()
    said = {str(rule["message"]["zh"]) for rule in rules}
    assert "not a2" in said
    assert "a2 only" not in said
    rules = house_rules_of(CMATE, {"npu_type": "A2"}).rules.values()
    assert [rule.get("for") for rule in rules if rule["message"]["zh"] == "a2 only"] == [None]


def test_what_is_made_is_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "ours.cmate").write_text(CMATE, encoding="utf-8")
    ran = npu_lsp("config", "--from-cmate", "ours.cmate", cwd=tmp_path)
    assert ran.code == 0
    assert "8 of 12 assertions are converted" in ran.err
    assert len(parse(ran.out)["house-rules"]) == 8
    (tmp_path / "npu-lsp.toml").write_text(ran.out, encoding="utf-8")
    (tmp_path / "a.sh").write_text("export HCCL_BUFFSIZE=200\nexport HCCL_EXEC_TIMEOUT=1\n")
    found = check("--select", "HOUSE", cwd=tmp_path).findings
    assert sorted(each["message"] for each in found) == ["buffer", "none"]


@pytest.mark.parametrize(
    "text",
    [
        "[par env]\nassert ${A} ==\n",
        "[what]\n",
        "[par env]\nassert 'a\n",
        "[par env]\n" + "assert " + "(" * 500,
        "[par env]\nassert " + "${A} and " * 100_000,
    ],
    ids=range(5),
)
def test_what_is_no_rule_file_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(CmateError):
        house_rules_of(text)
    (tmp_path / "a.cmate").write_text(text)
    ran = npu_lsp("config", "--from-cmate", "a.cmate", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "line" in ran.err or "ends too early" in ran.err
