"""Counts the variables of other tools: `python -m tests.authoring.other_variables TREES`, where TREES holds `owner+name` folders.

What comes out is `other_variables.toml`: `heads` are first words under which repositories without any NPU have variables, so that
they tell nothing; `names` are names close to one of ours that some repository reads itself, or that several have. `mistaken` is kept by hand, and isn't printed.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.spelling import Spelling

_NAME = rb"[A-Z][A-Z0-9]+(?:_[A-Za-z0-9]+)+"
_NAMED = re.compile(rb"(?<![A-Za-z0-9_$.-])" + _NAME)
_READ = re.compile(
    rb"(?:(?i:getenv|get_env)\w*\s*\(|environ(?:\.get\s*\(|\[)|env::var\s*\(|LookupEnv\s*\()\s*[\"']("
    + _NAME
    + rb")[\"'](?!\]\s*=)"
)
_NPUS = re.compile(rb"(?i)ascend|(?<![a-z])npu")
_LARGEST = 3_000_000
_WITHOUT_NPUS = ("NVIDIA+Megatron-LM", "pytorch+examples")
"""Repositories in which first words of variables are looked for."""
_SEVERAL = 3


def _files(tree: Path) -> Iterator[tuple[str, bytes]]:
    for folder, _, names in os.walk(tree):
        for path in (Path(folder, name) for name in names):
            if path.is_file() and not path.is_symlink() and path.stat().st_size < _LARGEST:
                yield path.relative_to(tree).as_posix(), path.read_bytes()


def main(trees: Path) -> None:
    """Print the file's two tables."""
    ours = load().names(Surface.ENV)
    spelling = Spelling(ours)
    first = {f"{name.partition('_')[0]}_" for name in ours if "_" in name}
    heads: dict[str, str] = {}
    where: dict[str, set[str]] = defaultdict(set)
    reads: dict[str, str] = {}
    for tree in sorted(each for each in trees.iterdir() if each.is_dir()):
        repository = tree.name.replace("+", "/")
        for path, data in _files(tree):
            names = {match.decode() for match in _NAMED.findall(data)} - ours
            if tree.name in _WITHOUT_NPUS and not _NPUS.search(data):
                for name in names:
                    head = f"{name.partition('_')[0]}_"
                    if head in first:
                        heads.setdefault(head, f"https://github.com/{repository}/blob/HEAD/{path}")
            for name in names:
                if spelling.guess(name) is not None:
                    where[name].add(repository)
            for match in _READ.findall(data):
                if match.decode() in names:
                    reads.setdefault(match.decode(), f"https://github.com/{repository}/blob/HEAD/{path}")
    sys.stdout.write("[heads]\n" + "".join(f'{head} = "{heads[head]}"\n' for head in sorted(heads)))
    sys.stdout.write("\n[names]\n")
    for name in sorted(where):
        source = reads.get(name) or (f"https://github.com/{min(where[name])}" if len(where[name]) >= _SEVERAL else "")
        sys.stdout.write(f'{name} = "{source}"\n' if source else f"# {name}: {', '.join(sorted(where[name]))}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    assert DATA.is_dir()
