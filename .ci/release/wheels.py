"""Resolves and downloads the wheels of npu-lsp and of all that it needs, for a platform and each Python, whatever machine this is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
GLIBC = (2, 28)
"""The oldest that is promised: openEuler 20.03's, and that of Red Hat's 8."""


class Platform(NamedTuple):
    """A platform by its name in uv, and the tags of the wheels that it takes."""

    resolved: str
    tags: tuple[str, ...]


def _glibc(architecture: str) -> tuple[str, ...]:
    # libcst's wheels are for glibc 2.28 from 1.8.2 on; each tag has to be named, since pip doesn't derive the older ones.
    tags = [f"manylinux_2_{minor}_{architecture}" for minor in range(GLIBC[1], 16, -1)]
    return (*tags, f"manylinux2014_{architecture}")


PLATFORMS = {
    "linux-x64": Platform("x86_64-manylinux_2_28", _glibc("x86_64")),
    "linux-arm64": Platform("aarch64-manylinux_2_28", _glibc("aarch64")),
    "darwin-arm64": Platform("aarch64-apple-darwin", ("macosx_11_0_arm64",)),
    "darwin-x64": Platform("x86_64-apple-darwin", ("macosx_11_0_x86_64",)),
    "win32-x64": Platform("x86_64-pc-windows-msvc", ("win_amd64",)),
}
"""By the names that VS Code gives them."""


def download(wheel: Path, platform: str, folder: Path) -> dict[str, list[Path]]:
    """Download what `wheel` needs into `folder`; return the files for each Python, `wheel` among them.

    pip alone takes the markers of the Python that it runs in (`python_version < "3.11"`) for those of the other one, so uv resolves.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for python in PYTHONS:
        before = {path.name for path in folder.iterdir()}
        lock = folder / f"lock-{python}.txt"
        resolve = ["uv", "pip", "compile", "--quiet", "--only-binary", ":all:", "--no-header", "--no-annotate"]
        resolve += ["--python-version", python, "--python-platform", PLATFORMS[platform].resolved, "-"]
        pinned = subprocess.run(
            [sys.executable, "-m", *resolve],
            input=str(wheel),
            text=True,
            check=True,
            stdout=subprocess.PIPE,
            # The system's certificates, as pip takes them: a company's network may have its own.
            env={**os.environ, "UV_SYSTEM_CERTS": "true"},
        ).stdout
        lock.write_text("".join(f"{line}\n" for line in pinned.splitlines() if "==" in line), encoding="utf-8")
        _pip(
            "download", *_for(platform, python), "--no-deps", "--dest", str(folder / python), "--requirement", str(lock)
        )
        lock.unlink()
        found[python] = [wheel]
        for path in sorted((folder / python).iterdir()):
            found[python].append(path.replace(folder / path.name))
        (folder / python).rmdir()
        for path in found[python]:
            refuse_newer_glibc(path)
        print(
            f"{platform}, Python {python}: {len({each.name for each in found[python]} - before)} more wheels",
            flush=True,
        )
    return found


def unpack(wheels: list[Path], platform: str, python: str, folder: Path) -> None:
    """Install wheels into a folder as that Python would on that platform."""
    command = [
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--link-mode=copy",
        "--target",
        str(folder),
    ]
    command += ["--python-version", python, "--python-platform", PLATFORMS[platform].resolved, *map(str, wheels)]
    subprocess.run([sys.executable, "-m", *command], check=True)


def refuse_newer_glibc(wheel: Path) -> None:
    """End where something compiled asks for a newer C library than is promised, whatever the tag of its wheel says."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if (asked := newest_glibc(archive.read(name))) > GLIBC:
                sys.exit(f"{wheel.name}: {name} asks for glibc {'.'.join(map(str, asked))}")


def newest_glibc(data: bytes) -> tuple[int, ...]:
    """Return the newest glibc that a compiled file has symbols of; an empty version where there is none, or it isn't ELF."""
    if not data.startswith(b"\x7fELF"):
        return ()
    # The names of versions stand in the file as they are; a text that looks like one would only be asked too much.
    versions = re.findall(rb"(?<=\0)GLIBC_(\d+(?:\.\d+)+)(?=\0)", data)
    return max((tuple(map(int, version.split(b"."))) for version in versions), default=())


def _for(platform: str, python: str) -> list[str]:
    tags = [word for tag in PLATFORMS[platform].tags for word in ("--platform", tag)]
    return ["-qq", "--only-binary=:all:", "--implementation", "cp", "--python-version", python, *tags]


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments], check=True)
