"""Completion scripts are right for their shells and know what the commands know."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from npu_lsp.commands.main import command_names, command_parser
from tests.checking.command import npu_lsp
from tests.patience import PATIENCE


@cache
def script(shell: str) -> str:
    """Return what the command prints, wherever it is run."""
    ran = npu_lsp("completion", shell, cwd=Path.cwd())
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def completions(folder: Path, *words: str) -> list[str]:
    """Return what bash offers for the last of `words`."""
    (folder / "script").write_text(script("bash"))
    line = " ".join(f"'{word}'" for word in words)
    command = f'source ./script; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _npu_lsp; printf "%s\\n" "${{COMPREPLY[@]}}"'
    ran = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return [line for line in ran.stdout.splitlines() if line]


def test_bash_offers_commands_options_values_and_files(tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    assert completions(tmp_path, "npu-lsp", "ch") == ["check"]
    assert completions(tmp_path, "npu-lsp", "check", "--output-fo") == ["--output-format"]
    assert completions(tmp_path, "npu-lsp", "check", "--output-format", "s") == ["sarif"]
    assert completions(tmp_path, "npu-lsp", "check", "tra") == ["train.py"]
    assert completions(tmp_path, "npu-lsp", "completion", "z") == ["zsh"]
    assert completions(tmp_path, "npu-lsp", "rule", "NPU20") == [f"NPU20{number}" for number in range(1, 10)]
    assert completions(tmp_path, "npu-lsp", "check", "--select", "NPU101") == ["NPU101"]
    # As bash cuts `--output-format=s` and `--lang=`.
    assert completions(tmp_path, "npu-lsp", "check", "--output-format", "=", "s") == ["sarif"]
    assert completions(tmp_path, "npu-lsp", "check", "--lang", "=") == ["auto", "en", "zh"]
    # As bash cuts `--target cann=9.0,vllm-ascend=0.1`.
    words = ("npu-lsp", "check", "--target", "cann", "=", "9.0,vllm-ascend", "=", "0.1")
    assert completions(tmp_path, *words)[:2] == ["0.10", "0.11"]
    assert completions(tmp_path, *words[:5], "9.0,vllm-a") == ["9.0,vllm-ascend="]
    assert "vllm-ascend=" in completions(tmp_path, "npu-lsp", "upgrade", "--from", "")


def test_bash_offers_names_with_blanks_whole(tmp_path: Path) -> None:
    (tmp_path / "my scripts").mkdir()
    (tmp_path / "my scripts" / "serve a2.sh").touch()
    (tmp_path / "a*b.sh").touch()
    assert completions(tmp_path, "npu-lsp", "check", "my") == ["my scripts"]
    assert completions(tmp_path, "npu-lsp", "check", "my scripts/s") == ["my scripts/serve a2.sh"]
    assert completions(tmp_path, "npu-lsp", "check", "--config", "my scripts/s") == ["my scripts/serve a2.sh"]
    assert completions(tmp_path, "npu-lsp", "check", "a") == ["a*b.sh"]
    # An option's name is no file.
    assert completions(tmp_path, "npu-lsp", "options", "my") == []


LINES = [
    ("npu-lsp ch", ["check"]),
    ("npu-lsp check --baseline-m", ["--baseline-mode"]),
    ("npu-lsp check --output-format sa", ["sarif"]),
    ("npu-lsp check --output-format=sa", ["--output-format=sarif"]),
    ("npu-lsp check tra", ["train.py"]),
    ("npu-lsp rule NPU101", ["NPU101"]),
    ("npu-lsp completion z", ["zsh"]),
    ("npu-lsp options sh", ["show"]),
    ("npu-lsp profile det", ["determinism"]),
    ("npu-lsp upgrade --from mindie=3", ["mindie=3.0"]),
    ("npu-lsp upgrade --from cann=9.0,mindie=3", ["cann=9.0,mindie=3.0"]),
    ("npu-lsp check --ignore NPU101,NPU3", [f"NPU101,NPU30{number}" for number in range(1, 7)]),
    ("npu-lsp check --select=NPU2,NPU101,NPU3", [f"--select=NPU2,NPU101,NPU30{number}" for number in range(1, 7)]),
    ("npu-lsp help options sh", ["show"]),
    ("npu-lsp explain tra", ["train.py"]),
    ("npu-lsp diff tra", ["train.py"]),
]


def test_bash_completes_the_same_lines(tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    for line, expected in LINES:
        # bash takes the equal sign for a word, and completes what stands behind it.
        words = line.replace("=", " = ").split()
        assert completions(tmp_path, *words) == [each.rpartition("=")[2] for each in expected], line


def test_the_places_that_help_names_are_made(tmp_path: Path) -> None:
    """Each line of the help's examples is run as it stands there, in a new home."""
    said = npu_lsp("help", "completion", cwd=tmp_path, env={"COLUMNS": "80"}).out.partition("examples:\n")[2]
    commands = [line.strip() for line in said.splitlines()]
    folder = Path(sys.executable).parent
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    for command in commands:
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), command
    assert len(commands) >= 4


def test_the_shells_that_are_installed_complete(tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    if shutil.which("fish"):
        assert in_fish(tmp_path) == [words for _, words in LINES]
    if shutil.which("zsh"):
        # Of several it writes what all begin with.
        assert in_zsh(tmp_path) == [[_begun(words)] for _, words in LINES]


def _begun(words: list[str]) -> str:
    """Return what all of `words` begin with."""
    return next(
        words[0][:end] for end in range(len(words[0]), -1, -1) if all(w.startswith(words[0][:end]) for w in words)
    )


def in_fish(folder: Path) -> list[list[str]]:
    """Return what fish offers for each line."""
    (folder / "script").write_text(script("fish"))
    asked = "; echo ==; ".join(f"complete -C '{line}'" for line, _ in LINES)
    ran = subprocess.run(
        ["fish", "--no-config", "-c", f"source ./script; {asked}"],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return [[line.split("\t")[0] for line in part.splitlines() if line] for part in ran.stdout.split("==\n")]


_ZSHRC = """\
fpath=($PWD $fpath)
autoload -Uz compinit
compinit -u -D
PS1=
unsetopt prompt_cr prompt_sp
told() { print -r -- "$BUFFER" >> told; BUFFER=; }
zle -N told
bindkey '^X' told
print ready > ready
"""


def in_zsh(folder: Path) -> list[list[str]]:
    """Return what zsh makes of each line, the last word of it.

    It completes nowhere but in a terminal, so it gets one; a line is written down instead of run.
    """
    (folder / "_npu-lsp").write_text(script("zsh"))
    (folder / ".zshrc").write_text(_ZSHRC)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "ZDOTDIR": str(folder), "HOME": str(folder), "TERM": "dumb"}
    command = ["zsh", "-o", "no_global_rcs", "-i"]
    zsh = subprocess.Popen(command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    threading.Thread(target=swallow, args=(ours,), daemon=True).start()
    told = folder / "told"
    try:
        wait_until((folder / "ready").exists)
        for number, (line, _) in enumerate(LINES, 1):
            os.write(ours, f"{line}\t\x18".encode())
            wait_until(lambda number=number: told.exists() and told.read_text().count("\n") >= number)  # type: ignore[misc]
    finally:
        zsh.kill()
        zsh.wait()
        os.close(theirs)
    # An option that takes a value comes with a sign that goes when a blank is typed.
    return [[line.split()[-1].rstrip("=,")] for line in told.read_text().splitlines()]


def swallow(terminal: int) -> None:
    """Read what a terminal shows, so that whoever writes to it goes on."""
    with suppress(OSError):
        while os.read(terminal, 4096):
            pass


def wait_until(done: Callable[[], bool]) -> None:
    """Wait until `done`."""
    deadline = time.monotonic() + PATIENCE
    while not done() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert done()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_there(shell: str) -> None:
    text = script(shell)
    for command in command_names():
        assert command in text
        for action in command_parser(command)._actions:
            for name in action.option_strings:
                assert (name if shell != "fish" else name.lstrip("-")) in text, (command, name)


def test_an_unknown_shell_is_wrong_usage(tmp_path: Path) -> None:
    assert npu_lsp("completion", "tcsh", cwd=tmp_path).code == 2
