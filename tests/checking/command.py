"""Runs `npu-lsp` as users do: as a process of its own, which on Linux needn't load it anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.checking.cache import RACY
from tests import forks
from tests.patience import PATIENCE


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of a JSON report."""
        found: list[dict[str, Any]] = json.loads(self.out)["findings"]
        return found

    @property
    def codes(self) -> list[str]:
        """The codes of the findings of a JSON report, those that nothing silences."""
        return [finding["code"] for finding in self.findings if not finding["suppressed"]]


def npu_lsp(
    *arguments: str | Path,
    cwd: Path,
    stdin: str | bytes | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = PATIENCE,
) -> Ran:
    """Run `npu-lsp` with `arguments` in the folder `cwd`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_")}
    environment = {k: v for k, v in kept.items() if k not in ("CI", "NO_COLOR", "FORCE_COLOR")}
    environment |= {"NPU_LSP_NO_CACHE": "1", "LC_ALL": "C.UTF-8", **(env or {})}
    data = stdin.encode() if isinstance(stdin, str) else stdin or b""
    words = [str(argument) for argument in arguments]
    if not environment["NPU_LSP_NO_CACHE"]:
        # What is written in the moment before a run isn't remembered by it, and a run begins at once here.
        time.sleep(2 * RACY / 1e9)
    if forks.possible(environment):
        process = forks.Process(words, cwd, environment)
        out, err = process.communicate(data, timeout)
        return Ran(process.wait(), out.decode("utf-8"), err.decode("utf-8"))
    done = subprocess.run(
        [sys.executable, "-m", "npu_lsp", *words],
        cwd=cwd,
        input=data,
        env=environment,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def check(*arguments: str | Path, cwd: Path, **more: Any) -> Ran:
    """Run `npu-lsp check --output-format json`."""
    return npu_lsp("check", "--output-format", "json", *arguments, cwd=cwd, **more)


def names(folder: Path) -> list[str]:
    """Return the names in a folder, hidden ones included."""
    return sorted(path.name for path in folder.iterdir())
