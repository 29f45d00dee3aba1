"""Asks the checker of types about a change that no test notices, in a copy of the program."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutations.mutants import ROOT, Mutant

_COPIED = shutil.ignore_patterns("__pycache__")


class Types:
    """The checker, which runs beside this process from the first question on."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Let the checker end."""
        if self._folder is not None:
            self._asked("stop")
            self._folder.cleanup()

    def refuse(self, mutant: Mutant) -> bool:
        """Return whether the types don't fit any more with a change."""
        path = self._tree() / mutant.path
        text = path.read_text(encoding="utf-8")
        path.write_text(mutant.made(text), encoding="utf-8")
        try:
            return self._asked("check", "npu_lsp") != 0
        finally:
            path.write_text(text, encoding="utf-8")

    def _tree(self) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="npu-lsp-mutations-")
            shutil.copytree(ROOT / "npu_lsp", Path(self._folder.name) / "npu_lsp", ignore=_COPIED)
            shutil.copyfile(ROOT / "pyproject.toml", Path(self._folder.name) / "pyproject.toml")
            self._asked("start")
            if self._asked("check", "npu_lsp"):
                raise RuntimeError("the types don't fit as it is")
        return Path(self._folder.name)

    def _asked(self, *words: str) -> int:
        assert self._folder is not None
        command = [sys.executable, "-m", "mypy.dmypy", *words]
        return subprocess.run(command, cwd=self._folder.name, capture_output=True, check=False).returncode
