"""`npu-lsp upgrade`: what newer versions change for the settings of a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.command import npu_lsp

CATALOG = """\
[options.our_flag]
summary = "Ours."
[options.our_flag.atc]
type = "string"
default = "2"
since = "7.0"
changes = [ { version = "8.0", default = "1" }, { version = "8.5", default = "2" } ]
[options.gone_flag]
summary = "Gone."
[options.gone_flag.atc]
type = "string"
removed = { version = "8.5" }
[options.old_flag]
summary = "Old."
[options.old_flag.atc]
type = "string"
deprecated = { version = "8.5", replacement = "our_flag" }
[options.coming_flag]
summary = "New."
[options.coming_flag.atc]
type = "string"
since = "8.5"
"""
SCRIPT = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 {flags}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ours.toml").write_text(CATALOG)
    (tmp_path / "npu-lsp.toml").write_text('catalog = ["ours.toml"]\n')
    (tmp_path / "a.sh").write_text(SCRIPT.format(flags="--gone_flag=1 --old_flag=1"))
    (tmp_path / "b.sh").write_text(SCRIPT.format(flags="--our_flag=1"))
    return tmp_path


def upgraded(folder: Path, *versions: str) -> tuple[int, list[tuple[str, str, str]], set[str]]:
    ran = npu_lsp("upgrade", *versions, "--format", "json", cwd=folder)
    content = json.loads(ran.out)
    steps = [(step["effect"], step["path"], step["option"]) for step in content["steps"]]
    return ran.code, steps, {each["option"] for each in content["new"]}


def test_it_tells_what_comes_between_two_versions_and_nothing_else(folder: Path) -> None:
    code, steps, new = upgraded(folder, "--from", "cann=8.0", "--to", "cann=8.5")
    assert code == 1
    assert steps == [
        ("stops", "a.sh", "gone_flag"),
        ("default", "a.sh", "our_flag"),
        ("deprecated", "a.sh", "old_flag"),
    ]
    assert "coming_flag" in new
    assert "our_flag" not in new


def test_between_versions_that_differ_in_nothing_there_is_nothing_to_do(folder: Path) -> None:
    assert upgraded(folder, "--from", "cann=8.5", "--to", "cann=8.5") == (0, [], set())
    ran = npu_lsp("upgrade", "--from", "cann=8.5", "--to", "cann=8.5", cwd=folder)
    assert ran.out == "The upgrade changes nothing that is set here.\n"


def test_people_read_each_sentence_once(folder: Path) -> None:
    (folder / "c.sh").write_text(SCRIPT.format(flags="--gone_flag=1 --our_flag=2"))
    ran = npu_lsp("upgrade", "--from", "cann=8.0", "--to", "cann=8.5", cwd=folder)
    assert "stops (2)\n" in ran.out
    assert "    a.sh:1, c.sh:1\n" in ran.out
    assert "After the upgrade: 2 settings rejected, 1 default changed, 1 setting deprecated.\n" in ran.out
    chinese = npu_lsp("upgrade", "--to", "cann=8.5", "--lang", "zh", cwd=folder)
    assert "报错退出 (2)\n" in chinese.out
    page = npu_lsp("upgrade", "--to", "cann=8.5", "--format", "html", cwd=folder)
    assert page.out.count(">stops</td>") == 2


def test_the_certain_moves_are_made(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text('LLM("m", additional_config={"scheduler_config": {}, "recompute_scheduler_enable": True})\n')
    versions = ("--from", "vllm-ascend=0.23", "--to", "vllm-ascend=0.25")
    before = npu_lsp("upgrade", *versions, cwd=tmp_path)
    ran = npu_lsp("upgrade", *versions, "--fix", cwd=tmp_path)
    assert ran.out == before.out
    assert ran.err == "Fixed 1 finding.\n"
    assert script.read_text() == (
        'LLM("m", additional_config={"scheduler_config": {"recompute_scheduler_enable": True}})\n'
    )


def test_an_entry_that_follows_others_to_their_group_is_not_taken_out(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text('LLM("m", additional_config={"dynamic_eplb": True, "num_iterations_eplb_update": 100})\n')
    ran = npu_lsp("upgrade", "--to", "vllm-ascend=0.23", "--format", "json", cwd=tmp_path)
    fixes = {step["option"]: step["fix"] for step in json.loads(ran.out)["steps"]}
    assert fixes == {"dynamic_eplb": 'Move it to "eplb_config.dynamic_eplb"', "num_iterations_eplb_update": None}
    mended = npu_lsp("check", "--fix", "--unsafe-fixes", "--target", "vllm-ascend=0.23", cwd=tmp_path)
    assert mended.code == 0
    assert script.read_text() == (
        'LLM("m", additional_config={"eplb_config": {"expert_heat_collection_interval": 100, "dynamic_eplb": True}})\n'
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--to"),
        (("--to", "cann"), "cann"),
        (("--to", "cann=9.0", "nothing"), "nothing"),
    ],
)
def test_wrong_usage_gets_a_clear_answer(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = npu_lsp("upgrade", *arguments, cwd=folder)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_default_is_told_from_what_to_what_where_the_option_is_on_both_sides(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text('LLM("m", additional_config={"eplb_config": {"dynamic_eplb": True}})\n')

    def told(old: str) -> dict[str, str]:
        ran = npu_lsp("upgrade", "--from", old, "--to", "vllm-ascend=0.24", "--format", "json", cwd=tmp_path)
        return {step["option"]: step["message"] for step in json.loads(ran.out)["steps"]}

    assert told("vllm-ascend=0.18")["eplb_config.expert_heat_collection_interval"] == (
        'vLLM-Ascend 0.23.0rc1 changed the default of "eplb_config.expert_heat_collection_interval" from 400 to 600, and it is '
        "not set here. Set it to 400 to keep the old one."
    )
    assert "from 4000 to 600" in told("vllm-ascend=0.13")["eplb_config.expert_heat_collection_interval"]
    # It came with 0.20.2rc1, with another default than today.
    assert "multistream_dsv4_dsa_overlap" in told("vllm-ascend=0.21")
    assert "multistream_dsv4_dsa_overlap" not in told("vllm-ascend=0.18")
