"""The configuration that the page on Vim gives, in a real Vim with ALE."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.config.keys import FORM
from tests.editors.pages import configuration
from tests.editors.texts import PYTHON
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, server: str) -> dict[str, Any]:
    """Return what a session in Vim saw."""
    folder = tmp_path_factory.mktemp("vim")
    script, result, vimrc = folder / "train.py", folder / "answers.json", folder / "vimrc"
    script.write_text(PYTHON, encoding="utf-8")
    vimrc.write_text(configuration("vim.md", "vim"), encoding="utf-8")
    environment = {
        **os.environ,
        "ANSWERS": str(result),
        "PATIENCE": str(PATIENCE),
        "HOME": str(folder),
        "PATH": f"{Path(server).parent}{os.pathsep}{os.environ['PATH']}",
        "TERM": "dumb",
    }
    command = ["vim", "-N", "-u", str(vimrc), "-i", "NONE", "-n", "--not-a-term", str(script)]
    command += ["-S", str(Path(__file__).with_name("vim_session.vim"))]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=3 * PATIENCE, check=False
    )
    assert result.is_file(), done.stdout.decode(errors="replace")
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in found, found["error"]
    return found


def test_findings(answers: dict[str, Any]) -> None:
    assert [(line, code) for line, code, _ in answers["findings"] if code == "NPU101"] == [(7, "NPU101")]


def test_hover(answers: dict[str, Any]) -> None:
    assert "use_off_line" in answers["hover"]


def test_fix(answers: dict[str, Any]) -> None:
    assert answers["fixed"] == PYTHON.replace("precison_mode", "precision_mode").splitlines()


def test_completion(answers: dict[str, Any]) -> None:
    assert answers["completed"] == 'custom_op.parameter_map["graph_run_mode"].'


def test_the_settings_of_coc_are_settings() -> None:
    (server,) = json.loads(configuration("vim.md", "json", "coc.nvim"))["languageserver"].values()
    assert [server["command"], *server["args"]] == ["npu-lsp", "serve"]
    assert list(FORM.problems(server["initializationOptions"], "")) == []
