"""Two editors, each with a server of its own, that edit the files of one folder while both look at all of it."""

from __future__ import annotations

from pathlib import Path

from tests.robustness.workspace import run

_FILES = 150
_SCRIPT = """\
export HCCL_BUFFSIZ={0}
export ASCEND_GLOBAL_LOG_LEVEL={0}
atc --model=a{0}.onnx --framework=5 --output=a --soc_verison=Ascend310P3
"""
_PROGRAM = """\
import os

os.environ["HCCL_CONNECT_TIMEOUT"] = "{0}"
os.environ["TASK_QUEUE_ENABL"] = "{0}"
"""


def test_both_show_what_a_fresh_server_finds(tmp_path: Path) -> None:
    """The one asks for what is found, the other is told; files change, come and go on the disk meanwhile."""
    folder = tmp_path / "shared"
    for number in range(_FILES):
        inner = folder / f"part{number % 7}"
        inner.mkdir(parents=True, exist_ok=True)
        name, text = ("run{}.sh", _SCRIPT) if number % 2 else ("train{}.py", _PROGRAM)
        (inner / name.format(number)).write_text(text.format(number), encoding="utf-8")
    came = run([folder], _FILES, seed=1, rounds=12)
    assert came.files == _FILES
    assert came.meanwhile
    assert came.edits >= 24
    assert len(came.findings) > _FILES / 2
    assert came.differing == []
    assert came.codes == [0, 0, 0]
