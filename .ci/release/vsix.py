"""Packs the VS Code extension with the server for one platform and all Pythons, in `bundled/lib`."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from addresses import addresses
from wheels import download, unpack

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors/vscode"
PACKED = (
    "bundled",
    "dist",
    "images",
    "l10n",
    ".vscodeignore",
    "LICENSE",
    "README.md",
    "package.nls.json",
    "package.nls.zh-cn.json",
)


def pack(wheel: Path, platform: str | None, out: Path) -> Path:
    """Return the packed extension; without a platform, the one that brings no server, for systems that no other is for."""
    made = out / f"npu-lsp-{platform or 'universal'}-{wheel.name.split('-')[1]}.vsix"
    if not (EXTENSION / "node_modules/.package-lock.json").is_file():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=EXTENSION, check=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=EXTENSION, check=True)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        for name in PACKED:
            take = shutil.copytree if (EXTENSION / name).is_dir() else shutil.copy
            take(EXTENSION / name, folder / name)  # type: ignore[operator]
        shutil.copy(ROOT / "CHANGELOG.md", folder)
        (folder / "package.json").write_text(json.dumps(manifest(), ensure_ascii=False, indent=2), encoding="utf-8")
        pages = f"{addresses()['Documentation'].rpartition('/')[0]}/editors/vscode"
        command = [str(EXTENSION / "node_modules/.bin/vsce"), "package", "--no-dependencies", "--out", str(made)]
        command += ["--baseContentUrl", pages, "--baseImagesUrl", pages.replace("/tree/", "/raw/")]
        if platform is not None:
            _bundle(wheel, platform, folder / "bundled/lib")
            # What wheels bring is published anyway, and to look through all of it for secrets takes minutes.
            command += ["--target", platform, "--allow-package-all-secrets", "--allow-package-env-file"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return made


def manifest() -> dict[str, object]:
    """Return the manifest as galleries want it: with the addresses of the project, which stand in `pyproject.toml`."""
    written: dict[str, object] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    del written["devDependencies"], written["scripts"]
    named = addresses()
    repository = {"type": "git", "url": f"{named['Repository']}.git", "directory": "editors/vscode"}
    return {**written, "repository": repository, "bugs": {"url": named["Issues"]}, "homepage": named["Documentation"]}


def _bundle(wheel: Path, platform: str, library: Path) -> None:
    """Put the wheels of all Pythons into one folder: the names of what is compiled say for which Python it is, all else is the same."""
    with tempfile.TemporaryDirectory() as work:
        for python, wheels in download(wheel, platform, Path(work) / "wheels").items():
            own = Path(work) / python
            unpack(wheels, platform, python, own)
            for path in sorted(own.rglob("*")):
                if path.is_file() and _needed(path.relative_to(own)):
                    _add(path, library / path.relative_to(own))


def _needed(path: Path) -> bool:
    return path.parts[0] != "bin" and "tests" not in path.parts and path.suffix != ".pyi"


def _add(path: Path, to: Path) -> None:
    if not to.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    elif path.read_bytes() != to.read_bytes() and ".dist-info" not in path.parent.name:
        raise ValueError(f"{to.name} isn't the same for all Pythons")
