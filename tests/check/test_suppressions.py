"""Comments that silence findings, in every host language, and those that silence nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.command import check, npu_lsp

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"'
COMMAND = "atc --model=a.onnx --framework=5 --output=a \\\n    --soc_verison=Ascend310P3"


@pytest.mark.parametrize(
    "text",
    [
        f"{WRONG}  # npu-lsp: ignore[NPU101]\n",
        f"{WRONG}  # npu-lsp: ignore\n",
        f"{WRONG}  # noqa: E501  npu-lsp: ignore[unknown-option]: ours\n",
        f"# npu-lsp: ignore[NPU101]\n{WRONG}\n",
        f"# npu-lsp: ignore[NPU101, NPU301]\n\n# more\n{WRONG}\n",
        f"{WRONG}\n# npu-lsp: ignore-file[NPU101]\n",
        f"# npu-lsp: off[NPU101]\nx = 1\n{WRONG}\n# npu-lsp: on[NPU101]\n",
        f"# npu-lsp: off\n{WRONG}\n",
        'op.parameter_map[\n    "precison_mode"\n].s = b"x"  # npu-lsp: ignore[NPU101]\n',
        '# npu-lsp: ignore[NPU101]\nop.parameter_map[\n    "precison_mode"\n].s = b"x"\n',
    ],
)
def test_python(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.py").write_text(text)
    ran = check("train.py", "--select", "NPU101", cwd=tmp_path)
    assert [(f["code"], f["suppressed"]) for f in ran.findings] == [("NPU101", True)]
    assert ran.code == 0


@pytest.mark.parametrize(
    "text",
    [
        f"# npu-lsp: ignore[NPU301]\n{WRONG}\n",
        f'"# npu-lsp: ignore"\n{WRONG}\n',
        f"# npu-lsp: ignore[NPU101]\nx = 1\n{WRONG}\n",
        f"# npu-lsp: off[NPU101]\n# npu-lsp: on[NPU101]\n{WRONG}\n",
    ],
)
def test_what_does_not_reach_silences_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.py").write_text(text)
    assert check("train.py", "--select", "NPU101", cwd=tmp_path).codes == ["NPU101"]


@pytest.mark.parametrize(
    "text",
    [
        f"# npu-lsp: ignore[NPU101]\n{COMMAND}\n",
        f"cd x && {COMMAND}  # npu-lsp: ignore[NPU101]\n",
        f"# npu-lsp: ignore-file\n{COMMAND}\n",
        f"if true; then\n    # npu-lsp: ignore[unknown-option]\n    {COMMAND}\nfi\n",
    ],
)
def test_a_comment_above_a_command_covers_all_of_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "convert.sh").write_text(text)
    ran = check("convert.sh", "--select", "NPU101", cwd=tmp_path)
    assert [(f["code"], f["suppressed"]) for f in ran.findings] == [("NPU101", True)]


def test_unused_and_unknown_ones_are_found_and_fixed(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    right = WRONG.replace("precison", "precision")
    path.write_text(f"{right}  # npu-lsp: ignore[NPU101]\n{WRONG}  # npu-lsp: ignore[NPU101, NPU999]\n")
    assert check(cwd=tmp_path).codes == ["NPU901", "NPU902"]
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    assert path.read_text() == f"{right}\n{WRONG}  # npu-lsp: ignore[NPU101]\n"


def test_unused_ones_in_a_file_without_options(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text("x = 1  # npu-lsp: ignore[NPU101] # noqa\n# npu-lsp: ignore-file\n")
    assert check(cwd=tmp_path).codes == ["NPU901", "NPU901"]
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    assert path.read_text() == "x = 1  # noqa\n"


def test_a_finding_about_a_suppression_can_be_silenced(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("# npu-lsp: ignore-file[NPU901]\nx = 1  # npu-lsp: ignore[NPU101]\n")
    assert check(cwd=tmp_path).codes == []


def test_rules_that_do_not_run_leave_their_suppressions_alone(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("x = 1  # npu-lsp: ignore[NPU101]\ny = 1  # npu-lsp: ignore\n")
    assert check("--ignore", "NPU101", cwd=tmp_path).codes == []
    assert check("--per-file-ignores", "*.py:NPU101", cwd=tmp_path).codes == []
