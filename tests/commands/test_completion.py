"""Completion scripts are right for their shells and know what the commands know."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from npu_lsp.cli import command_names, command_parser
from tests.check.command import npu_lsp


def script(shell: str, folder: Path) -> str:
    ran = npu_lsp("completion", shell, cwd=folder)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def completions(folder: Path, *words: str) -> list[str]:
    """Return what bash offers for the last of `words`."""
    (folder / "script").write_text(script("bash", folder))
    line = " ".join(f"'{word}'" for word in words)
    command = f'source ./script; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _npu_lsp; printf "%s\\n" "${{COMPREPLY[@]}}"'
    ran = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout.split()


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


LINES = [
    ("npu-lsp ch", ["check"]),
    ("npu-lsp check --baseline-m", ["--baseline-mode"]),
    ("npu-lsp check --output-format sa", ["sarif"]),
    ("npu-lsp check --output-format=sa", ["--output-format=sarif"]),
    ("npu-lsp check tra", ["train.py"]),
    ("npu-lsp rule NPU101", ["NPU101"]),
    ("npu-lsp completion z", ["zsh"]),
    ("npu-lsp options sh", ["show"]),
]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    (tmp_path / "script").write_text(script("fish", tmp_path))
    asked = "; echo ==; ".join(f"complete -C '{line}'" for line, _ in LINES)
    ran = subprocess.run(
        ["fish", "--no-config", "-c", f"source ./script; {asked}"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    found = [[line.split("\t")[0] for line in part.splitlines() if line] for part in ran.stdout.split("==\n")]
    assert found == [words for _, words in LINES]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes(tmp_path: Path) -> None:
    """In a terminal of its own, as zsh completes nowhere else; what it makes of each line is printed instead of run."""
    (tmp_path / "train.py").touch()
    (tmp_path / "_npu-lsp").write_text(script("zsh", tmp_path))
    (tmp_path / ".zshrc").write_text(
        f"fpath=({tmp_path} $fpath)\nautoload -Uz compinit\ncompinit -u -D\nPS1=\nunsetopt prompt_cr prompt_sp zle_bracketed_paste\n"
        "told() { print -r -- \"<<$BUFFER>>\" >> told; BUFFER=; }\nzle -N told\nbindkey '^X' told\nprint ready > ready\n"
    )
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "ZDOTDIR": str(tmp_path), "HOME": str(tmp_path), "TERM": "dumb"}
    zsh = subprocess.Popen(
        ["zsh", "-o", "no_global_rcs", "-i"], cwd=tmp_path, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    threading.Thread(target=swallow, args=(ours,), daemon=True).start()
    told = tmp_path / "told"
    try:
        wait_until(lambda: (tmp_path / "ready").exists())
        for number, (line, _) in enumerate(LINES, 1):
            os.write(ours, f"{line}\t\x18".encode())
            wait_until(lambda n=number: told.exists() and told.read_text().count(">>\n") >= n)  # type: ignore[misc]
    finally:
        zsh.kill()
        zsh.wait()
        os.close(theirs)
    found = [
        line.removeprefix("<<").removesuffix(">>").split()[-1].rstrip("=") for line in told.read_text().splitlines()
    ]
    assert found == [words[-1] for _, words in LINES]


def swallow(terminal: int) -> None:
    """Read what a terminal shows, so that whoever writes to it goes on."""
    with suppress(OSError):
        while os.read(terminal, 4096):
            pass


def wait_until(done: Callable[[], bool]) -> None:
    """Wait until `done`, 20 seconds at the most."""
    deadline = time.monotonic() + 20
    while not done() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert done()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_there(shell: str, tmp_path: Path) -> None:
    text = script(shell, tmp_path)
    for command in command_names():
        assert command in text
        for action in command_parser(command)._actions:
            for name in action.option_strings:
                assert (name if shell != "fish" else name.lstrip("-")) in text, (command, name)


def test_an_unknown_shell_is_wrong_usage(tmp_path: Path) -> None:
    assert npu_lsp("completion", "tcsh", cwd=tmp_path).code == 2
