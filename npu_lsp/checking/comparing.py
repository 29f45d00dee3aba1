"""The settings that differ between two files, folders or commits."""

from __future__ import annotations

import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from npu_lsp.checking.inventory import Row

_Key = tuple[str, str, str]


class Difference(NamedTuple):
    """One setting that differs; a side is `None` where it doesn't set the option."""

    path: str
    """Below both folders; empty where two files are compared."""
    surface: str
    option: str
    left: Row | None
    right: Row | None


def differences(left: Iterable[Row], right: Iterable[Row]) -> Iterator[Difference]:
    """Yield what differs, by path, surface and option.

    An option that a file sets several times is compared in the order in which it does.
    """
    one, other = _by_option(left), _by_option(right)
    for key in sorted({*one, *other}):
        ours, theirs = one.get(key, []), other.get(key, [])
        equal = Counter(map(_value, ours)) & Counter(map(_value, theirs))
        for a, b in zip_longest(_without(ours, equal), _without(theirs, equal)):
            yield Difference(*key, a, b)


def _by_option(rows: Iterable[Row]) -> Mapping[_Key, list[Row]]:
    found: dict[_Key, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row[:3]):
        found.setdefault((row.path, row.surface, row.option), []).append(row)
    return found


def _without(rows: Iterable[Row], equal: Counter[tuple[object, ...]]) -> Iterator[Row]:
    """Yield the rows but for those whose equal the other side has, the first ones."""
    rest = equal.copy()
    for row in rows:
        if rest[_value(row)]:
            rest[_value(row)] -= 1
        else:
            yield row


def _value(row: Row) -> tuple[object, ...]:
    return (row.known, row.slot, repr(row.value))


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
