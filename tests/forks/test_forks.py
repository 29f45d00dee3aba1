"""A process that is made of one that has loaded npu-lsp does what one does that has just been started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from npu_lsp.commands.main import command_names
from tests import forks

pytestmark = pytest.mark.skipif(not forks.possible(os.environ), reason="there are no such processes")

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
ENVIRONMENT = {n: v for n, v in os.environ.items() if n.startswith("PYTHON") or n == "PATH"} | {"NPU_LSP_NO_CACHE": "1"}
CHINESE = {**ENVIRONMENT, "LC_ALL": "zh_CN.UTF-8"}
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check",),
    ("check", "-j", "2", "--output-format", "sarif"),
    ("check", "--diff", "--unsafe-fixes"),
    ("check", "--fix", "-", "--stdin-filename", "a.py"),
    ("check", "nowhere.py"),
    ("serve", "--nonsense"),
    ("settings", "."),
    ("options", "show", "precision_mode"),
    ("profile", "determinism", "."),
    ("diff", "train.py", "run.sh"),
    ("upgrade", "--from", "cann=7.0", "--to", "cann=8.0", "."),
    ("rule", "NPU101"),
    ("explain", "EZ9999"),
    ("config",),
    ("merge", "nowhere.json"),
    ("clean",),
    ("doctor",),
    ("schema", "--list"),
    ("snapshot", "nowhere.txt"),
    ("mcp", "nowhere"),
    ("completion", "bash"),
    ("help", "check"),
    ("--version",),
    ("chekc",),
)
_RUNS = [pytest.param(ENVIRONMENT, arguments, id=" ".join(arguments)) for arguments in COMMANDS]
_RUNS += [pytest.param(CHINESE, arguments, id="zh " + " ".join(arguments)) for arguments in COMMANDS[:2]]


def test_every_command_is_compared() -> None:
    assert {command for command, *_ in COMMANDS} >= set(command_names())


@pytest.mark.parametrize(("environment", "arguments"), _RUNS)
def test_the_same_comes_of_it(tmp_path: Path, environment: dict[str, str], arguments: tuple[str, ...]) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    (tmp_path / "run.sh").write_text("atc --model=a --soc_verison=Ascend310P3\n")
    command = [sys.executable, "-m", "npu_lsp", *arguments]
    started = subprocess.run(
        command, cwd=tmp_path, input=WRONG.encode(), env=environment, capture_output=True, check=False
    )
    process = forks.Process(arguments, tmp_path, environment)
    assert (*process.communicate(WRONG.encode(), 600), process.wait()) == (
        started.stdout,
        started.stderr,
        started.returncode,
    )
    assert started.stdout + started.stderr or arguments == ("clean",)


def test_it_is_a_process_of_its_own(tmp_path: Path) -> None:
    before = os.environ.copy(), Path.cwd()
    process = forks.Process(["check", "-"], tmp_path, ENVIRONMENT)
    assert process.poll() is None
    assert Path(f"/proc/{process.pid}").exists()
    process.send_signal(signal.SIGTERM)
    with process.stdin, process.stdout, process.stderr:
        assert process.wait(600) in (-signal.SIGTERM, 143)
    assert not Path(f"/proc/{process.pid}").exists()
    assert (os.environ.copy(), Path.cwd()) == before


def test_several_run_beside_each_other_until_they_are_ended(tmp_path: Path) -> None:
    process = forks.Process(["serve"], tmp_path, ENVIRONMENT)
    other = forks.Process(["--version"], tmp_path, ENVIRONMENT)
    assert other.communicate(b"", 600)[0].startswith(b"npu-lsp")
    process.kill()
    assert process.wait(600) == -signal.SIGKILL
    process.close()
