"""Public repositories on which speed is told: their names and commits. What they hold isn't part of this one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

REPOSITORIES = {
    "Ascend/ModelZoo-TensorFlow": "a2c3332a6cea24b56ab936a746b994c89c8fc7f8",
    "vllm-project/vllm-ascend": "182b75ea84ff13ece27b57391331ef8935410aea",
    "Ascend/MindSpeed-LLM": "c77308a14bfcb1aa7ca61da9c1aa24a893cb1b91",
    "modelscope/ms-swift": "3602360a562313afbf2ef6065fdf61f271a2c5b9",
    "openstack/nova": "00a030403f672b975364c855b7d25b40ef83e757",
    "sympy/sympy": "e950d313a932bc6cccbc95376b3821cd2f8b5af4",
}
"""A model zoo, repositories that set options for NPUs in Python and in shell, and two large ones that set none."""
_SUFFIXES = (".py", ".sh", ".md", ".rst", ".yaml", ".yml", ".json", ".ipynb", ".cfg", ".ini")


def checked_out(clones: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield each repository that has a clone `OWNER/NAME` or `OWNER+NAME` below `clones`, and its files in `folder`."""
    for name, commit in REPOSITORIES.items():
        found = (clones / each / inner for each in (name, name.replace("/", "+")) for inner in (".git", "repo", "."))
        clone = next((path for path in found if (path / "objects").is_dir()), None)
        if clone is None:
            print(f"{name}: no clone below {clones}")
            continue
        tree = folder / name.replace("/", "+")
        tree.mkdir()
        git = ["git", "--git-dir", str(clone)]
        listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", commit], stdout=subprocess.PIPE, check=True)
        has = {Path(line.decode()).suffix for line in listed.stdout.splitlines()}
        wanted = [f"*{suffix}" for suffix in _SUFFIXES if suffix in has]
        with subprocess.Popen([*git, "archive", commit, *wanted], stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, check=True)
        yield f"{name}@{commit[:10]}", tree
