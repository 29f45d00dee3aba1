"""The samples are whole scripts as people write them; `expected/NAME.txt` holds what is found in each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).with_name("samples")
SCRIPTS = sorted(path.name for path in SAMPLES.iterdir() if path.suffix in (".py", ".sh", ".md", ".ipynb", ".ini"))
CLEAN = {"clean_session.py", "convert_tensorflow.sh"}


def _check(name: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "npu_lsp", "check", "--isolated", "--no-cache", "--quiet", *arguments, name]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_")}
    done = subprocess.run(
        command, cwd=SAMPLES, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name", SCRIPTS)
def test_findings(name: str) -> None:
    found = _check(name, "--output-format", "concise", "--lang", "en")
    expected = SAMPLES / "expected" / f"{name}.txt"
    if os.environ.get("NPU_LSP_UPDATE_EXPECTED"):
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(CLEAN))
def test_clean_ones_are_clean(name: str) -> None:
    assert _check(name, "--output-format", "concise") == ""


def test_every_other_one_has_findings() -> None:
    for name in set(SCRIPTS) - CLEAN:
        assert (SAMPLES / "expected" / f"{name}.txt").read_text(encoding="utf-8"), name
