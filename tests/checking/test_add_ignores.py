"""`--add-ignores`: comments for what is found today, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.case_files import case_files
from tests.checking.command import check, names, npu_lsp

ATC = "atc --model=a --framework=5 --output=b --soc_verison=Ascend310P3"
TYPO = 'op.parameter_map["precison_mode"].s = b"x"\n'
CELL: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
NOTEBOOK: dict[str, object] = {"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
TEXTS = {
    "lines.py": f"def f(op):\n    {TYPO}\n    {TYPO.replace('precison', 'precison2')}",
    "call.py": 'c = NPURunConfig(precision_mode="x", a=[\n   1], session_config=2, precison_mode="x")\n',
    "text.py": f'import subprocess\nsubprocess.run("""\n{ATC}\n""", shell=True)\nx = 1\n',
    "one_line.py": 'if True: os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "9"; os.environ["RANK_ID"] = "x"\n',
    "crlf.py": f"import os\r\n{TYPO.strip()}\r\n",
    "joined.py": f'# npu-lsp: ignore[NPU104]: ours\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "9"; {TYPO}',
    "no_end.py": TYPO.strip(),
    "command.sh": f"if true; then\n  cd x && \\\n    {ATC} \\\n    --input_sape=3\nfi\n",
    "here.sh": f"cat > run.sh <<'EOF'\n{ATC}\nEOF\nbash -c '\n{ATC}\n'\n",
    "Dockerfile": f"FROM x\nRUN cd a && \\\n    {ATC}\n",
    "Makefile": f"all:\n\tcd a; \\\n\t{ATC}\n",
    "job.yaml": f"jobs:\n  a:\n    run: |\n      cd x\n      {ATC}\n",
    "page.md": f"# x\n\n```python\n{TYPO}```\n\n- item\n  ```bash\n  {ATC}\n  ```\n",
    "cells.ipynb": json.dumps({"cells": [{**CELL, "source": ["import x\n", TYPO, "x = 1"]}], **NOTEBOOK}, indent=1),
}
INSERTED = re.compile(r'^[ \t]*"?# npu-lsp: (?:ignore|off|on)\[[^\]]*\](?:: ours)?(?:\\n",)?\r?\n?', re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        (made / name).write_bytes(text.encode())
    return made


class Before(NamedTuple):
    codes: list[tuple[str, str]]
    settings: list[tuple[str, str, object]]


def seen(folder: Path) -> Before:
    rows = json.loads(npu_lsp("settings", "--format", "json", cwd=folder).out)["settings"]
    codes = sorted((finding["path"], finding["code"]) for finding in check(cwd=folder).findings)
    return Before(codes, [(row["path"], row["option"], row["value"]) for row in rows])


def test_afterwards_nothing_is_left_and_nothing_else_is_changed(folder: Path) -> None:
    before = seen(folder)
    assert {path for path, _ in before.codes} == set(TEXTS)
    shown = npu_lsp("check", "--add-ignores", "--diff", cwd=folder)
    assert shown.code == 1
    assert {name: (folder / name).read_bytes().decode() for name in TEXTS} == TEXTS
    ran = npu_lsp("check", "--add-ignores", cwd=folder)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"Silenced {len(before.codes) - 1} findings with comments.\nAll checks passed!\n"
    assert seen(folder) == before
    after = {name: (folder / name).read_bytes().decode() for name in TEXTS}
    assert (check(cwd=folder).codes, names(folder)) == ([], sorted(TEXTS))
    for name, text in after.items():
        assert text.count("\r\n") == (text.count("\n") if name == "crlf.py" else 0), name
        taken_out = INSERTED.sub("", text).removesuffix("\n")
        assert taken_out == INSERTED.sub("", TEXTS[name]).removesuffix("\n"), name
    assert after["joined.py"].startswith("# npu-lsp: ignore[NPU104, NPU101]: ours\n")
    npu_lsp("check", "--add-ignores", cwd=folder)
    assert {name: (folder / name).read_bytes().decode() for name in TEXTS} == after


def test_what_no_comment_can_silence_is_told(tmp_path: Path) -> None:
    (tmp_path / "fusion_switch.json").write_text('{"Switch": {"GraphFusion": {"NoSuchRule9": "on"}}, "x": }')
    assert npu_lsp("check", cwd=tmp_path).code == 1
    ran = npu_lsp("check", "--add-ignores", cwd=tmp_path)
    assert ran.code == 1
    assert "left that no comment can silence here; `--write-baseline` takes them as known." in ran.out
    assert names(tmp_path) == ["fusion_switch.json"]


_LEFT = ("NPU203", "NPU203", "NPU215", "NPU223", "NPU106", "NPU203", "NPU203", "NPU106")


def test_the_cases(tmp_path: Path) -> None:
    cases = {
        path.name: path.read_bytes().decode() for path in case_files("broken") if path.suffix in (".py", ".sh", ".md")
    }
    for name, text in cases.items():
        (tmp_path / name).write_bytes(text.encode())
    before = check(cwd=tmp_path)
    ran = npu_lsp("check", "--add-ignores", cwd=tmp_path)
    # Between the lines of a quoted text there is no place for a comment, nor in what a script writes.
    left = [("mindie_written_by_script.sh", code) for code in ("NPU103", "NPU104")]
    left += [("schedulers_vllm.sh", code) for code in _LEFT]
    left += [("serve_vllm.sh", "NPU101")] * 2
    assert f"Silenced {len(before.codes) - len(left)} findings with comments.\n" in ran.out
    assert f"{len(left)} findings left that no comment can silence here" in ran.out
    after = check(cwd=tmp_path)
    assert [(each["path"], each["code"]) for each in after.findings if not each["suppressed"]] == left
    assert len(after.findings) == len(before.findings)
    for name, text in cases.items():
        assert INSERTED.sub("", (tmp_path / name).read_bytes().decode()) == INSERTED.sub("", text), name


def test_a_text_on_stdin(tmp_path: Path) -> None:
    ran = npu_lsp("check", "--add-ignores", "-", "--stdin-filename", "a.py", cwd=tmp_path, stdin=TYPO)
    assert (ran.code, ran.out) == (0, f"# npu-lsp: ignore[NPU101]\n{TYPO}")
