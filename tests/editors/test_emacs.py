"""The configuration that the page on Emacs gives, in a real Emacs with Eglot."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.editors.pages import configuration
from tests.editors.texts import PYTHON


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, server: str) -> dict[str, Any]:
    """Return what a session in Emacs saw."""
    folder = tmp_path_factory.mktemp("emacs")
    script, result, init = folder / "train.py", folder / "answers.json", folder / "init.el"
    script.write_text(PYTHON, encoding="utf-8")
    init.write_text(configuration("emacs.md", "elisp"), encoding="utf-8")
    environment = {
        **os.environ,
        "ANSWERS": str(result),
        "HOME": str(folder),
        "PATH": f"{Path(server).parent}{os.pathsep}{os.environ['PATH']}",
    }
    command = ["emacs", "--batch", "-q", "-l", str(init), "-f", "package-initialize", "-l", "eglot", str(script)]
    command += ["-l", str(Path(__file__).with_name("emacs_session.el"))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert result.is_file(), done.stderr
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in found, found["error"] + done.stderr
    return found


def test_findings(answers: dict[str, Any]) -> None:
    assert [(line, text[:16]) for line, text in answers["findings"] if "NPU101" in text] == [(7, "npu-lsp [NPU101]")]


def test_hover(answers: dict[str, Any]) -> None:
    assert "use_off_line" in answers["hover"]


def test_fix(answers: dict[str, Any]) -> None:
    assert answers["fixed"] == PYTHON.replace("precison_mode", "precision_mode")


def test_completion(answers: dict[str, Any]) -> None:
    assert answers["completion"] == ["graph_run_mode"]
    assert answers["completed"] == 'custom_op.parameter_map["graph_run_mode"].'
