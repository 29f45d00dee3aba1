"""The configurations that the page on Emacs gives, in a real Emacs with Eglot and with lsp-mode."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.editors.pages import configuration
from tests.editors.texts import CALL, OWN, PYTHON, SAVED
from tests.patience import PATIENCE


def _session(folder: Path, server: str, heading: str, package: str) -> dict[str, Any]:
    """Return what a session in Emacs saw, with what stands under a heading of the page as init file."""
    script, result, init = folder / "train.py", folder / "answers.json", folder / "init.el"
    script.write_text(PYTHON, encoding="utf-8")
    for name, text in (("own.sh", OWN), ("call.py", CALL), ("saved.sh", SAVED)):
        (folder / name).write_text(text, encoding="utf-8")
    init.write_text(configuration("emacs.md", "elisp", heading), encoding="utf-8")
    environment = {
        **os.environ,
        "ANSWERS": str(result),
        "PATIENCE": str(PATIENCE),
        "HOME": str(folder),
        "PATH": f"{Path(server).parent}{os.pathsep}{os.environ['PATH']}",
    }
    command = ["emacs", "--batch", "-q", "-l", str(init), "-f", "package-initialize", "-l", package, str(script)]
    command += ["-l", str(Path(__file__).with_name(SESSIONS[package]))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=3 * PATIENCE, check=False)
    assert result.is_file(), done.stderr
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in found, found["error"] + done.stderr
    return found


SESSIONS = {"eglot": "emacs_session.el", "lsp-mode": "lsp_mode_session.el"}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, server: str) -> dict[str, Any]:
    return _session(tmp_path_factory.mktemp("eglot"), server, "Eglot", "eglot")


def test_findings(answers: dict[str, Any]) -> None:
    assert [(line, text[:16]) for line, text in answers["findings"] if "NPU101" in text] == [(7, "npu-lsp [NPU101]")]


def test_hover(answers: dict[str, Any]) -> None:
    assert "use_off_line" in answers["hover"]


def test_fix(answers: dict[str, Any]) -> None:
    assert answers["fixed"] == PYTHON.replace("precison_mode", "precision_mode")


def test_completion(answers: dict[str, Any]) -> None:
    assert answers["completion"] == ["graph_run_mode"]
    assert answers["completed"] == 'custom_op.parameter_map["graph_run_mode"].'


def test_a_value_to_choose_and_a_new_name_for_a_variable(answers: dict[str, Any]) -> None:
    assert answers["renamed"] == OWN.replace("presicion", "precision").replace("NAME", "network")


def test_where_else_an_option_is_set(answers: dict[str, Any]) -> None:
    assert {("own.sh", 3), ("saved.sh", 2)} <= {tuple(each) for each in answers["references"]}


def test_arguments_of_a_call(answers: dict[str, Any]) -> None:
    assert "precision_mode: string" in answers["signature"]


def test_lsp_mode(tmp_path: Path, server: str) -> None:
    answers = _session(tmp_path, server, "lsp-mode", "lsp-mode")
    assert [7, "NPU101"] in answers["findings"]
    assert "use_off_line" in answers["hover"]
    assert answers["fixed"] == PYTHON.replace("precison_mode", "precision_mode")
    assert answers["completed"] == 'custom_op.parameter_map["graph_run_mode"].'
