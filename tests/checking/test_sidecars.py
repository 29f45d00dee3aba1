"""Files that options point to are checked with the scripts that name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.command import check, npu_lsp

SCRIPT = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_precision_mode=conf/modes.txt\n"


def tree(folder: Path) -> None:
    (folder / "convert.sh").write_text(SCRIPT)
    (folder / "conf").mkdir()
    (folder / "conf/modes.txt").write_text("Add=high_percision\n")
    (folder / "conf/other.txt").write_text("Add=high_percision\n")
    (folder / "fusion_switch.cfg").write_text("ConvBatchnormFusionPass:OFF\n")


def test_by_name_and_by_being_pointed_at(tmp_path: Path) -> None:
    tree(tmp_path)
    ran = check(".", cwd=tmp_path)
    assert sorted(ran.codes) == ["NPU801", "NPU805"]


@pytest.mark.parametrize("flag", ["--no-cache", ""])
def test_again(tmp_path: Path, flag: str) -> None:
    tree(tmp_path)
    arguments = [flag] if flag else []
    first = check(".", *arguments, cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""})
    second = check(".", *arguments, cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""})
    assert sorted(first.codes) == sorted(second.codes) == ["NPU801", "NPU805"]


def test_a_file_that_is_excluded_stays_out(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "npu-lsp.toml").write_text('exclude = ["conf"]\n')
    assert check(".", cwd=tmp_path).codes == ["NPU805"]


def test_only_the_named_script_is_checked(tmp_path: Path) -> None:
    tree(tmp_path)
    assert check("convert.sh", cwd=tmp_path).codes == []


def test_a_file_that_is_pointed_at_is_in_the_shard_of_its_script(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "again.sh").write_text(SCRIPT)
    parts = [tmp_path / f"{number}.report" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        npu_lsp("check", "--shard", f"{number}/3", "--output-format", "json", "-o", part, cwd=tmp_path)
    assert npu_lsp("merge", *parts, cwd=tmp_path).out == check(cwd=tmp_path).out


@pytest.mark.parametrize("ignored", ["*.txt\n", "conf/modes.*\n", "/conf/\n"])
def test_files_that_git_ignores_are_not_reported_but_read(tmp_path: Path, ignored: str) -> None:
    (tmp_path / ".git").mkdir()
    tree(tmp_path)
    (tmp_path / "fusion_switch.cfg").unlink()
    assert check(cwd=tmp_path).codes == ["NPU801"]
    (tmp_path / ".gitignore").write_text(ignored)
    assert check(cwd=tmp_path).codes == []
    assert check("--no-respect-gitignore", cwd=tmp_path).codes == ["NPU801"]
    # The rules about the setting look at it all the same.
    (tmp_path / "conf" / "modes.txt").unlink()
    assert check(cwd=tmp_path).codes == ["NPU810"]


def test_a_name_that_many_have_is_opened_and_its_content_tells(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        '{"ServerConfig": {"httpsEnabled": false, "maxLinkNum": 3, "inferMode": "x"}}\n'
    )
    (tmp_path / "model").mkdir()
    (tmp_path / "model/config.json").write_text('{"model_type": "llama",}\n')
    assert set(check(".", cwd=tmp_path).codes) == {"NPU104"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('{"Switch": {"GraphFusion": {"ALL": "offf"}}}\n', '"offf"'),
        ('{"Switch": {"UBFusion": {"ALL": true}}}\n', '"true"'),
    ],
)
def test_one_slip_of_a_switch_is_one_finding(tmp_path: Path, text: str, written: str) -> None:
    """Whether an option of that name is known or not."""
    (tmp_path / "fusion_switch.cfg").write_text(text)
    (found,) = check("--isolated", "fusion_switch.cfg", cwd=tmp_path).findings
    assert found["code"] == "NPU805"
    assert written in found["message"]
