"""The files of a commit, put into a folder of their own: nothing of the work tree is touched."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path, PurePosixPath

_LARGEST = 50_000_000
"""Bytes of a file that is written; larger ones are no configuration."""


class NoCommitError(Exception):
    """What was named is no commit, or hasn't that path. The message says what was named, or what Git says."""


def extract(commit: str, below: str, folder: Path) -> None:
    """Write the files of `commit` that lie below the path `below` of the current folder into `folder`, which is empty.

    Links are left out. Raises `NoCommitError`, and `FileNotFoundError` where there is no Git.
    """
    named = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    if named.returncode:
        raise NoCommitError(commit)
    archive = folder / "commit.tar"
    made = _git("archive", "--format=tar", f"--output={archive}", named.stdout.strip(), "--", below)
    if made.returncode:
        raise NoCommitError(made.stderr.strip())
    _unpack(archive, folder)
    archive.unlink()


def _unpack(path: Path, folder: Path) -> None:
    with tarfile.open(path) as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts
            content = archive.extractfile(member) if member.isreg() and member.size <= _LARGEST else None
            if content is not None and ".." not in parts and not member.name.startswith("/"):
                to = folder.joinpath(*parts)
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(content.read())


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], capture_output=True, check=False, encoding="utf-8", errors="replace")  # noqa: S603, S607
