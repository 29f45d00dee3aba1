"""Two states of the program: a commit, or the working tree, asked as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WORKING_TREE = "."
"""What names the state of the files as they are, committed or not."""


@contextmanager
def state(revision: str, folder: Path) -> Iterator[Path]:
    """Give the program's folder as `revision` has it: a work tree in `folder`, or this one for `.`."""
    if revision == WORKING_TREE:
        yield ROOT
        return
    tree = folder / f"program-{len(list(folder.iterdir()))}"
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(tree), revision], check=True)
    try:
        yield tree
    finally:
        subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def asked(program: Path, tree: Path, *command: str) -> Any:
    """Return the JSON that a command of that program prints of `tree`; paths in it are relative to that."""
    environment = {**os.environ, "PYTHONPATH": str(program), "PYTHONSAFEPATH": "1"}
    words = [sys.executable, "-m", "npu_lsp", *command, "--format", "json", "--isolated", "--lang", "en", "."]
    done = subprocess.run(words, cwd=tree, env=environment, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{program}: {' '.join(command)} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return json.loads(done.stdout)
