"""The bar that a terminal shows when a run takes long."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

COUNT = 300


def shown(folder: Path, *arguments: str, patience: float) -> str:
    """Run in a terminal that sees stderr, with other patience, and return what it shows."""
    for number in range(COUNT):
        (folder / f"train{number}.py").write_text("x = 1\n")
    script = folder / "run"
    script.write_text(
        "import sys\n"
        "from npu_lsp.checking import progress\n"
        f"progress._PATIENCE = progress._PAUSE = {patience}\n"
        "from npu_lsp.commands.main import main\n"
        "sys.exit(main(['check', '--no-cache', *sys.argv[1:]]))\n"
    )
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, script, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    said = b""
    with suppress(OSError):
        while chunk := os.read(ours, 4096):
            said += chunk
    os.close(ours)
    assert process.wait(20) == 0
    return said.decode()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_fills_and_goes(tmp_path: Path, jobs: str) -> None:
    said = shown(tmp_path, "-j", jobs, patience=-1.0)
    steps = [
        (len(bar), int(done), int(total)) for bar, done, total in re.findall(r"\[(#*)\.*\] (\d+)/(\d+) files", said)
    ]
    assert len(steps) > 10
    assert steps == sorted(steps)
    # The script is one of them.
    assert {total for _, _, total in steps} == {COUNT + 1}
    assert said.endswith("\r\x1b[2K")


def test_who_waits_for_less_than_a_second_sees_none(tmp_path: Path) -> None:
    assert shown(tmp_path, patience=60.0) == ""


def test_who_wants_quiet_sees_none(tmp_path: Path) -> None:
    assert shown(tmp_path, "-q", patience=-1.0) == ""
