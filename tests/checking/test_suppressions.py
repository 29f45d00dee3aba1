"""Comments that silence findings, in every host language, and those that silence nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.command import check, npu_lsp
from tests.together import together

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"'
COMMAND = "atc --model=a.onnx --framework=5 --output=a \\\n    --soc_verison=Ascend310P3"


@together(
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
        f"# npu-lsp: ignore[NPU301, NPU101: precison_mode]: ours\n{WRONG}\n",
        f"# npu-lsp: off[NPU101: precison_mode]\n# npu-lsp: on[NPU101: theirs]\n{WRONG}\n# npu-lsp: on[NPU101]\n",
        'op.parameter_map[\n    "precison_mode"\n].s = b"x"  # npu-lsp: ignore[NPU101]\n',
        '# npu-lsp: ignore[NPU101]\nop.parameter_map[\n    "precison_mode"\n].s = b"x"\n',
    ],
)
def test_python(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.py").write_text(text)
    ran = check("train.py", "--select", "NPU101", cwd=tmp_path)
    assert [(f["code"], f["suppressed"]) for f in ran.findings] == [("NPU101", True)]
    assert ran.code == 0


@together(
    "text",
    [
        f"# npu-lsp: ignore[NPU301]\n{WRONG}\n",
        f'"# npu-lsp: ignore"\n{WRONG}\n',
        f"# npu-lsp: ignore[NPU101]\nx = 1\n{WRONG}\n",
        f"# npu-lsp: off[NPU101]\n# npu-lsp: on[NPU101]\n{WRONG}\n",
        f"# npu-lsp: ignore[NPU101: theirs]\n{WRONG}\n",
        f"# npu-lsp: off[NPU101: precison_mode]\n# npu-lsp: on[NPU101]\n{WRONG}\n",
        f"{WRONG}  # npu-lsp: ignore[\n",
        f"{WRONG}  # npu-lsp: ignore [NPU101, NPU\n",
        f"# npu-lsp: ignore-file[NPU\n{WRONG}\n",
        f"# npu-lsp: off[\n{WRONG}\n",
    ],
)
def test_what_does_not_reach_silences_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.py").write_text(text)
    assert check("train.py", "--select", "NPU101", cwd=tmp_path).codes == ["NPU101"]


@together(
    "text",
    [
        f"# npu-lsp: ignore[NPU101]\n{COMMAND}\n",
        f"cd x && {COMMAND}  # npu-lsp: ignore[NPU101]\n",
        # Neither `$#` nor `${#x}` begins a comment.
        f"[ $# -gt 0 ] && {COMMAND}  # npu-lsp: ignore[NPU101]\n".replace(" \\\n", ""),
        f"[ ${{#x}} -gt 0 ] && {COMMAND}  # no $# # npu-lsp: ignore[NPU101]\n".replace(" \\\n", ""),
        f"# npu-lsp: ignore-file\n{COMMAND}\n",
        f"if true; then\n    # npu-lsp: ignore[unknown-option]\n    {COMMAND}\nfi\n",
        f"# npu-lsp: ignore[NPU101]\ncd x && \\\n  {COMMAND}\n",
        f"# npu-lsp: off[NPU101]\n{COMMAND}\n# npu-lsp: on[NPU101]\n",
    ],
)
def test_a_comment_above_a_command_covers_all_of_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "convert.sh").write_text(text)
    ran = check("convert.sh", "--select", "NPU101", cwd=tmp_path)
    assert [(f["code"], f["suppressed"]) for f in ran.findings] == [("NPU101", True)]


FLAGS = "atc --model=a.onnx --framework=5 --output=a --soc_verison=Ascend310P3"
IGNORE = "# npu-lsp: ignore[NPU101]"
CELL: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
NOTEBOOK: dict[str, object] = {"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
OFF, ON = "# npu-lsp: off[NPU101]", "# npu-lsp: on[NPU101]"


def notebook(*cells: list[str]) -> str:
    return json.dumps({"cells": [{**CELL, "source": source} for source in cells], **NOTEBOOK}, indent=1)


HOSTS = [
    ("Dockerfile", f"FROM x\n{IGNORE}\nRUN {FLAGS}\n"),
    ("Dockerfile", f"FROM x\n{IGNORE}\nRUN cd x && \\\n    {FLAGS} && \\\n    ls\n"),
    ("Dockerfile", f"# npu-lsp: ignore-file[NPU101]\nFROM x\nRUN {FLAGS}\n"),
    ("Dockerfile", f"FROM x\n{OFF}\nRUN {FLAGS}\n{ON}\n"),
    ("ci.yml", f"job:\n  {IGNORE}\n  run: {FLAGS}\n"),
    ("ci.yml", f"job:\n  script:\n    - {FLAGS}  {IGNORE}\n"),
    ("ci.yml", f"job:\n  run: |\n    {IGNORE}\n    {FLAGS}\n"),
    ("ci.yml", f"job:\n  run: |\n    {OFF}\n    {FLAGS}\n    {ON}\n"),
    ("ci.yml", f"# npu-lsp: ignore-file[NPU101]\njob:\n  run: {FLAGS}\n"),
    ("Makefile", f"all:\n\t{IGNORE}\n\t{FLAGS}\n"),
    ("Makefile", f"all:\n\t{FLAGS}  {IGNORE}\n"),
    ("Makefile", f"{IGNORE}\nall: a \\\n  b\n\tls \\\nx\n\n# then\n\t{FLAGS}\n"),
    ("Makefile", f"# npu-lsp: ignore-file[NPU101]\nall:\n\t{FLAGS}\n"),
    ("Makefile", f"all:\n{OFF}\n\t{FLAGS}\n{ON}\n"),
    ("README.md", f"<!-- npu-lsp: ignore[NPU101] -->\n```sh\n{FLAGS}\n```\n"),
    ("README.md", f"```sh\n{IGNORE}\n{FLAGS}\n```\n"),
    ("README.md", f"```sh\n{FLAGS}  {IGNORE}\n```\n"),
    ("README.md", f"<!-- npu-lsp: off[NPU101] -->\n```python\n{WRONG}\n```\n<!-- npu-lsp: on[NPU101] -->\n"),
    ("README.md", f"<!-- npu-lsp: ignore-file[NPU101] -->\n```sh\n{FLAGS}\n```\n"),
    ("a.ipynb", notebook([f"{IGNORE}\n", f"{WRONG}\n"])),
    ("a.ipynb", notebook([f"{WRONG}  {IGNORE}\n"])),
    ("a.ipynb", notebook(["# npu-lsp: ignore-file[NPU101]\n", "x = 1\n"], [f"!{FLAGS}"])),
    ("a.ipynb", notebook(["%%bash\n", f"{IGNORE}\n", FLAGS])),
    ("a.ipynb", notebook([f"{OFF}\n", f"{WRONG}\n", f"{ON}\n"])),
]


def test_every_host_has_comments(tmp_path: Path) -> None:
    rules = ("--select", "NPU101,NPU901")
    paths = [tmp_path / str(number) / name for number, (name, _) in enumerate(HOSTS)]
    for path, (_, text) in zip(paths, HOSTS, strict=True):
        path.parent.mkdir()
        path.write_text(text)
    ran = check(*rules, cwd=tmp_path)
    assert ran.code == 0
    found = sorted((f["path"], f["code"], f["suppressed"]) for f in ran.findings)
    assert found == sorted((str(path.relative_to(tmp_path)), "NPU101", True) for path in paths)
    # Where there is nothing to silence any more, the comment is found, and goes.
    for path in paths:
        path.write_text(path.read_text().replace("soc_verison", "soc_version").replace("precison", "precision"))
    assert check(*rules, cwd=tmp_path).codes == ["NPU901"] * len(paths)
    assert npu_lsp("check", *rules, "--fix", cwd=tmp_path).code == 0
    assert [path for path in paths if "NPU101" in path.read_text()] == []
    assert check(*rules, cwd=tmp_path).findings == []


@pytest.mark.parametrize(
    ("comment", "silenced"),
    [("# npu-lsp: ignore[NPU801]", True), ("; npu-lsp: ignore[NPU801]", True), ("; npu-lsp: ignore, a=b", False)],
)
def test_files_of_keys_and_values(tmp_path: Path, comment: str, silenced: bool) -> None:
    (tmp_path / "op_precision.ini").write_bytes(f"[ByOpType]\r\n{comment}\r\nAdd=high_percision\r\n".encode())
    found = check("--select", "NPU801", cwd=tmp_path).findings
    assert [f["suppressed"] for f in found if "high_percision" in f["message"]] == [silenced]


def test_an_end_that_another_range_needs_stays(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(f"# npu-lsp: off[NPU103]\nx = 1\n# npu-lsp: off[NPU101]\n{WRONG}\n# npu-lsp: on\n")
    assert check("--select", "NPU101,NPU103,NPU901", cwd=tmp_path).codes == ["NPU901"]
    npu_lsp("check", "--fix", cwd=tmp_path)
    assert path.read_text() == f"x = 1\n# npu-lsp: off[NPU101]\n{WRONG}\n# npu-lsp: on\n"


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
