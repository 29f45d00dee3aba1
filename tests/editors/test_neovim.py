"""The Neovim client, driven in a real Neovim."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.editors.texts import PYTHON

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, server: str) -> dict[str, Any]:
    """Return what a session in Neovim saw."""
    folder = tmp_path_factory.mktemp("neovim")
    script = folder / "train.py"
    script.write_text(PYTHON, encoding="utf-8")
    result = folder / "answers.json"
    environment = {
        **os.environ,
        "ANSWERS": str(result),
        "PLUGIN": str(ROOT / "editors/neovim"),
        "NPU_LSP_SERVER": server,
        "XDG_STATE_HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
    }
    drive = Path(__file__).with_name("neovim_session.lua")
    command = [
        os.environ.get("NPU_LSP_NVIM", "nvim"),
        "--headless",
        "--clean",
        "-n",
        str(script),
        "-c",
        f"luafile {drive}",
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert result.is_file(), done.stderr
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in found, found["error"] + done.stderr
    return found


def test_findings(answers: dict[str, Any]) -> None:
    assert [(f["line"], f["code"], f["source"]) for f in answers["findings"] if f["code"] == "NPU101"] == [
        (7, "NPU101", "npu-lsp")
    ]


def test_hover(answers: dict[str, Any]) -> None:
    assert "use_off_line" in answers["hover"]["contents"]["value"]


def test_fix(answers: dict[str, Any]) -> None:
    assert any("precision_mode" in title for title in answers["actions"])
    assert PYTHON.replace("precison_mode", "precision_mode").splitlines() == answers["fixed"]


def test_completion(answers: dict[str, Any]) -> None:
    assert "graph_run_mode" in answers["completion"]
