"""Completion scripts are right for their shells and know what the commands know."""

from __future__ import annotations

import subprocess
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
