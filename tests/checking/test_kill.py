"""Killed at any moment, or run twice at once: no file half written, no broken cache, and the next run is fine."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from npu_lsp.checking.cache import FOLDER
from npu_lsp.checking.writing import TEMPORARY, tidy
from tests import forks
from tests.checking.command import check, npu_lsp
from tests.patience import PATIENCE

SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'
FIXED = 'op.parameter_map["use_off_line"].b = True\n'
PADDING = "# " + "x" * 2000 + "\n"
COUNT = 150

# Says that Python itself is up. Before, an interrupt is none of ours: Python ends with 1 where it hits the import of `site` or `runpy`.
BEGIN = "import os, sys; os.write(int(sys.argv.pop(1)), b'.'); from npu_lsp.commands.main import main; sys.exit(main())"


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Return a run whose first line of Python is behind it."""
    ours, theirs = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN, str(theirs), "check", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "NPU_LSP_NO_CACHE": ""},
        pass_fds=[theirs],
    )
    os.close(theirs)
    os.read(ours, 1)
    os.close(ours)
    return process


def forked(folder: Path, *arguments: str) -> subprocess.Popen[bytes] | forks.Process:
    """Return a run of which nothing is asked before its first file: where it can be had, one that needn't load anything."""
    environment = {**os.environ, "NPU_LSP_NO_CACHE": ""}
    if not forks.possible(environment):
        return start(folder, *arguments)
    return forks.Process(["check", *arguments], folder, environment)


def many(folder: Path) -> list[Path]:
    paths = [folder / f"train{number}.py" for number in range(COUNT)]
    for path in paths:
        path.write_text(PADDING + SAFE)
    return paths


def left(folder: Path) -> list[str]:
    """Return the files in a folder that a run was writing."""
    return [path.name for path in folder.rglob(f".*{TEMPORARY}")]


def running(folder: Path) -> list[int]:
    """Return the processes that work in a folder."""
    found = []
    for path in Path("/proc").iterdir():
        with suppress(OSError):
            if path.name.isdigit() and (path / "cwd").readlink() == folder:
                found.append(int(path.name))
    return found


def wait_for_all(folder: Path) -> None:
    """Wait for the processes that work in a folder to end."""
    latest = time.monotonic() + PATIENCE
    while running(folder):
        assert time.monotonic() < latest, "some process goes on"
        time.sleep(0.01)


def until(seen: Callable[[], bool], process: subprocess.Popen[bytes] | forks.Process) -> None:
    """Wait until something is seen of a run, or until it is over."""
    while process.poll() is None and not seen():
        time.sleep(0.005)


# Moments: while it is imported, while the first files are mended, while several processes work, at the end.
MENDED = [0, 1, COUNT // 2, COUNT]


@pytest.mark.parametrize("count", MENDED)
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_while_fixing(tmp_path: Path, sign: signal.Signals, count: int) -> None:
    paths = many(tmp_path)
    before = {path.stat().st_ino for path in paths}
    process = (forked if count else start)(tmp_path, "--fix", "-j", "2")
    until(lambda: sum(path.stat().st_ino not in before for path in paths) >= count, process)
    process.send_signal(sign)
    code = process.wait(PATIENCE)
    # Before there is a handler, the signal itself ends it.
    assert code in {0, -sign, {signal.SIGTERM: 143, signal.SIGINT: 130}.get(sign, 0)}
    wait_for_all(tmp_path)
    assert {path.read_text() for path in paths} <= {PADDING + SAFE, PADDING + FIXED}
    if sign != signal.SIGKILL:
        assert left(tmp_path) == []
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    assert {path.read_text() for path in paths} == {PADDING + FIXED}


@pytest.mark.parametrize(("sign", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_an_interrupted_run_leaves_a_clean_terminal(tmp_path: Path, sign: signal.Signals, code: int) -> None:
    many(tmp_path)
    script = tmp_path / "run"
    # Progress is shown at once, and the run waits for its end as soon as it is.
    script.write_text(
        "import sys, time\n"
        "from npu_lsp.checking import progress\n"
        "progress._PATIENCE = -1.0\n"
        "show = progress.Progress._show\n"
        "def shown(self):\n"
        "    show(self)\n"
        "    time.sleep(1000)\n"
        "progress.Progress._show = shown\n"
        "from npu_lsp.commands.main import main\n"
        "sys.exit(main(['check', '--no-cache']))\n"
    )
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, script], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""
    while b"files" not in said:
        said += os.read(ours, 1000)
    process.send_signal(sign)
    assert process.wait(PATIENCE) == code
    with suppress(OSError):
        while chunk := os.read(ours, 1000):
            said += chunk
    os.close(ours)
    # The line is removed and nothing comes after it.
    assert said.endswith(b"\r\x1b[2K")


def test_an_interrupt_that_python_loses_is_one(tmp_path: Path) -> None:
    """What comes while a callback of Python's own runs is shown and forgotten; behind each import there is one."""
    (tmp_path / "train.py").write_text(FIXED)
    script = tmp_path / "run"
    script.write_text(
        "import os, signal, sys, weakref\n"
        "from npu_lsp.checking.checker import Checker\n"
        "real = Checker.sift\n"
        "class Gone: pass\n"
        "def sift(self, candidate):\n"
        "    gone = Gone()\n"
        "    kept = weakref.ref(gone, lambda _: os.kill(os.getpid(), signal.SIGINT))\n"
        "    del gone\n"
        "    return real(self, candidate)\n"
        "Checker.sift = sift\n"
        "from npu_lsp.commands.main import main\n"
        "sys.exit(main(['check', '--no-cache', 'train.py']))\n"
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False)
    assert b"Exception ignored" in done.stderr
    assert done.returncode == 130


@pytest.mark.parametrize(
    "seen",
    [lambda _: True, lambda folder: len(running(folder)) > 1, lambda folder: (folder / FOLDER).exists()],
    ids=["at once", "while several processes work", "while the cache is written"],
)
def test_killed_with_a_cache(tmp_path: Path, seen: Callable[[Path], bool]) -> None:
    many(tmp_path)
    process = start(tmp_path, "-j", "2")
    until(lambda: seen(tmp_path), process)
    process.kill()
    process.wait()
    ran = check(cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""})
    assert (ran.codes, ran.err) == (["NPU103"] * COUNT, "")


def test_two_runs_at_once(tmp_path: Path) -> None:
    paths = many(tmp_path)
    both = [forked(tmp_path, "--fix", "-j", "2") for _ in range(2)]
    assert [process.wait(PATIENCE) for process in both].count(2) == 0
    assert npu_lsp("check", "--fix", cwd=tmp_path).code == 0
    assert {path.read_text() for path in paths} == {PADDING + FIXED}
    assert not list(tmp_path.glob(f"*{TEMPORARY}")) + list(tmp_path.glob(f".*{TEMPORARY}"))


def test_two_runs_with_one_cache(tmp_path: Path) -> None:
    many(tmp_path)
    both = [forked(tmp_path) for _ in range(3)]
    assert [process.wait(PATIENCE) for process in both] == [1, 1, 1]
    assert len(check(cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""}).codes) == COUNT


def test_what_a_killed_run_left_goes_with_the_next_fix(tmp_path: Path) -> None:
    left = tmp_path / f".train.py.0123456789ab{TEMPORARY}"
    left.write_text("half")
    fresh = tmp_path / f".train.py.ba9876543210{TEMPORARY}"
    fresh.write_text("being written")
    old = time.time() - 3600
    os.utime(left, (old, old))
    tidy(os.fspath(tmp_path))
    assert not left.exists()
    assert fresh.exists()


def test_a_process_that_dies_takes_no_other_file_with_it(tmp_path: Path) -> None:
    many(tmp_path)
    script = tmp_path / "run.py"
    script.write_text(
        "import os, sys\n"
        "from npu_lsp.checking.checker import Checker\n"
        "real = Checker.check\n"
        "parent = os.getpid()\n"
        "def check(self, candidate):\n"
        "    if os.getpid() != parent and candidate.path == 'train77.py':\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return real(self, candidate)\n"
        "Checker.check = check\n"
        "from npu_lsp.checking import run\n"
        "run._LONG = 0\n"
        "from npu_lsp.commands.main import main\n"
        "sys.exit(main(['check', '-j', '2', '--no-cache', '--output-format', 'concise', '--extend-exclude', 'run.py']))\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    first = {f"train{number}.py" for number in range(COUNT)}
    named = {line.split(":")[0] for line in done.stdout.splitlines() if "NPU103" in line}
    assert done.returncode == 2
    assert first - named == {"train77.py"}
    assert "train77.py" in done.stderr
