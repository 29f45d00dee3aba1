"""Whatever happens to a tree: a run with the cache says what one without it says."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checking.command import npu_lsp
from tests.checking.test_cache import RIGHT, WRONG

FOLDERS = ["", "a", "a/b", "c", "built"]
NAMES = ["x.py", "y.py", "run.sh", "notes.md", "convert", "z.txt", "requirements.txt"]
TEXTS = [
    WRONG,
    RIGHT,
    "x = 1\n",
    "#!/bin/bash\nexport HCCL_CONECT_TIMEOUT=1\n",
    "```python\n" + WRONG + "```\n",
    "torch-npu==2.1\n",
]
PATTERNS = ["x.py\n", "built/\n", "/a\n", "*.md\n!notes.md\n", "", "b\n"]
OLD = 1_700_000_000


class Tree:
    """A tree of files that changes."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(f"edits {seed}")
        for folder in FOLDERS:
            for name in NAMES:
                self.write(root / folder / name)

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() or path.is_symlink():
            return
        path.write_text(self.random.choice(TEXTS))
        # Files that are older than a moment are what the cache remembers.
        os.utime(path, (OLD, OLD))

    def any(self, *, folders: bool) -> Path:
        found = sorted(p for p in self.root.rglob("*") if p.is_dir() is folders and ".npu-lsp-cache" not in p.parts)
        return self.random.choice(found) if found else self.root / "x.py"

    def new(self) -> None:
        self.write(self.any(folders=True) / self.random.choice(["new.py", "new.sh", "b/new.py"]))

    def changed(self) -> None:
        self.write(self.any(folders=False))

    def turned(self) -> None:
        """Give a file other content of the same length, and its old times."""
        path = self.any(folders=False)
        if path.is_file():
            status, text = path.stat(), path.read_text()
            other = text.replace("precison", "precisxx") if "precison" in text else text.replace("x", "y")
            path.write_text(other)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def touched(self) -> None:
        path = self.any(folders=False)
        if path.exists():
            os.utime(path, (OLD + 5, OLD + 5))

    def gone(self) -> None:
        self.any(folders=False).unlink(missing_ok=True)

    def moved(self) -> None:
        folders = self.random.random() < 0.5
        path = self.any(folders=folders)
        target = self.root / self.random.choice(["moved", "x.py", "a", "built"])
        if not target.exists() and not target.is_relative_to(path):
            path.rename(target)

    def swapped(self) -> None:
        """Let two files have each other's names."""
        one, other = self.any(folders=False), self.any(folders=False)
        if one != other and one.exists() and other.exists():
            aside = self.root / "aside"
            one.rename(aside)
            other.rename(one)
            aside.rename(other)

    def became_folder(self) -> None:
        path = self.any(folders=False)
        if path.is_file():
            path.unlink()
            self.write(path / "in.py")

    def became_link(self) -> None:
        path = self.any(folders=False)
        path.unlink(missing_ok=True)
        path.symlink_to(self.any(folders=self.random.random() < 0.5))

    def removed(self) -> None:
        shutil.rmtree(self.any(folders=True), ignore_errors=True)

    def ignored(self) -> None:
        (self.any(folders=True) / ".gitignore").write_text(self.random.choice(PATTERNS))

    def configured(self) -> None:
        text = self.random.choice(['ignore = ["NPU101"]\n', 'exclude = ["c"]\n', "", 'include = ["*.txt"]\n'])
        (self.any(folders=True) / "npu-lsp.toml").write_text(text)

    def steps(self) -> list[Callable[[], None]]:
        return [
            *(self.new, self.changed, self.turned, self.touched, self.gone, self.moved, self.swapped),
            *(self.became_folder, self.became_link, self.removed, self.ignored, self.configured),
        ]


@pytest.mark.parametrize("seed", range(3))
def test_with_the_cache_all_is_as_without(tmp_path: Path, seed: int) -> None:
    tree = Tree(tmp_path, seed)
    told: list[str] = []
    for _ in range(8):
        cached = npu_lsp("check", "--output-format", "json", cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""})
        fresh = npu_lsp("check", "--output-format", "json", cwd=tmp_path)
        assert cached == fresh, told
        for step in tree.random.choices(tree.steps(), k=2):
            step()
            told.append(step.__name__)
