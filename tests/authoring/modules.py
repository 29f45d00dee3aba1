"""Makes `modules.toml`: the modules of packages that run on NPUs, by the package that they stand in.

    python -m tests.authoring.modules WHEEL-OR-REPOSITORY...

A wheel is read as the archive that it is; of a repository (its git directory) each branch and tag is.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

_PACKAGES = (
    *("mindnlp", "mindspeed", "mindspeed_llm", "mindspeed_mm", "mindspore", "npu_bridge", "sglang", "torch_npu"),
    *("vllm", "vllm_ascend"),
)
_DEEP = {"vllm.entrypoints.openai"}
"""Packages of the second level below which a program stands that people start."""
_ENDING = re.compile(r"(?:\.cpython[^/]*)?\.(?:py|so)$")
_OUT = Path(__file__).parents[2] / "npu_lsp" / "catalog" / "data" / "modules.toml"
_WIDTH = 130


def main(sources: list[str]) -> None:
    """Write the file."""
    children: dict[str, set[str]] = {}
    for source in sources:
        for path in _files(source):
            _add(path, children)
    rows = [
        "# Modules by the package that they stand in; made by `python -m tests.authoring.modules`.",
        "",
        "[modules]",
    ]
    rows += [f'"{name}" = [\n{_wrapped(found)}]' for name, found in sorted(children.items())]
    _OUT.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _files(source: str) -> Iterator[str]:
    """Yield the Python files of a wheel or a repository, as paths from the folder that holds the package."""
    if source.endswith(".whl"):
        with zipfile.ZipFile(source) as archive:
            yield from (name for name in archive.namelist() if name.split("/")[0] in _PACKAGES and _ENDING.search(name))
        return
    git = ["git", "-C", source]
    refs = subprocess.run([*git, "for-each-ref", "--format=%(refname)"], capture_output=True, text=True, check=True)
    for ref in ["HEAD", *refs.stdout.split()]:
        listed = subprocess.run(
            [*git, "ls-tree", "-r", "--name-only", ref], capture_output=True, text=True, check=False
        )
        for path in listed.stdout.splitlines():
            parts = path.split("/")
            at = next((number for number, part in enumerate(parts[:3]) if part in _PACKAGES), None)
            if at is not None and path.endswith(".py"):
                yield "/".join(parts[at:])


def _add(path: str, children: dict[str, set[str]]) -> None:
    parts = _ENDING.sub("", path).removesuffix("/__init__").split("/")
    if any(part.startswith("_") or not part.isidentifier() or part in ("test", "tests", "csrc") for part in parts):
        return
    for depth in range(1, len(parts)):
        owner = ".".join(parts[:depth])
        if depth <= 2 or owner in _DEEP:
            children.setdefault(owner, set()).add(parts[depth])


def _wrapped(names: set[str]) -> str:
    lines, line = [], "   "
    for name in sorted(names):
        if len(line) + len(name) + 4 > _WIDTH:
            lines.append(line)
            line = "   "
        line += f' "{name}",'
    return "\n".join([*lines, line]) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
