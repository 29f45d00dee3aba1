"""A stranger's checkout, whose modules have the names of those that a start of npu-lsp takes; each that is run leaves a mark."""

from __future__ import annotations

import zipfile
from pathlib import Path

_PACKAGES = ("venv", "pip", "ensurepip", "encodings", "multiprocessing", "npu_lsp", "libcst", "yaml", "hatchling")
_MODULES = (
    "sitecustomize",
    "usercustomize",
    "json",
    "os",
    "re",
    "site",
    "subprocess",
    "argparse",
    "threading",
    "runpy",
)
_HEAD = "Metadata-Version: 2.1\nName: npu-lsp\nVersion: 99\n"
_FORM = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


class Marks:
    """Which planted modules were run, and whether ours was."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def of(self, whose: str) -> str:
        """Return the text of a module that leaves the mark `whose`; it needs no other module for that."""
        return f"with open({str(self._file)!r}, 'a') as file:\n    file.write({whose!r} + ' ' + __name__ + '\\n')\n"

    def left(self) -> set[str]:
        """Return what was run since this was asked last, as `hostile json` or `ours __main__`."""
        lines = self._file.read_text(encoding="utf-8").splitlines() if self._file.exists() else []
        self._file.unlink(missing_ok=True)
        return set(lines)


def plant(folder: Path, marks: Marks) -> None:
    """Put the modules into a checkout, and into an environment that a pipeline might take for its own."""
    for name in _PACKAGES:
        (folder / name).mkdir()
        for module in ("__init__", "__main__"):
            (folder / name / f"{module}.py").write_text(marks.of("hostile"), encoding="utf-8")
    for name in _MODULES:
        (folder / f"{name}.py").write_text(marks.of("hostile"), encoding="utf-8")
    for environment in (".npu-lsp", ".venv", "npu-lsp"):
        for version in range(10, 16):
            packages = folder / environment / f"lib/python3.{version}/site-packages"
            packages.mkdir(parents=True)
            (packages / "sitecustomize.py").write_text(marks.of("hostile"), encoding="utf-8")


def wheel(folder: Path, marks: Marks) -> Path:
    """Write a wheel `npu-lsp` 99 that only marks that it was run, and return its path; no index is needed to install it."""
    made = folder / "npu_lsp-99-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr("npu_lsp/__init__.py", "")
        packed.writestr("npu_lsp/__main__.py", marks.of("ours"))
        for name, text in (("METADATA", _HEAD), ("WHEEL", _FORM), ("RECORD", "")):
            packed.writestr(f"npu_lsp-99.dist-info/{name}", text)
    return made


def project(folder: Path, marks: Marks) -> Path:
    """Write a project whose own backend makes that wheel, and return its folder; no index is needed to build it."""
    made = wheel(folder, marks)
    source = folder / "source"
    source.mkdir()
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "made"\nbackend-path = ["."]\n'
        '[project]\nname = "npu-lsp"\nversion = "99"\n',
        encoding="utf-8",
    )
    (source / "made.py").write_text(
        "import json, os, shutil, subprocess\n\n"  # as any backend does
        "def build_wheel(folder, config_settings=None, metadata_directory=None):\n"
        f"    shutil.copy({str(made)!r}, folder)\n"
        f"    return {made.name!r}\n",
        encoding="utf-8",
    )
    return source
