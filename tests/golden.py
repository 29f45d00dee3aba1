"""Files that hold what is expected, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path

import pytest

RENEW = "NPU_LSP_UPDATE_EXPECTED"


def agrees(path: Path, text: str) -> None:
    """Fail with the difference, and with how to renew the file, where `path` doesn't hold `text`."""
    if os.environ.get(RENEW):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    made_by({path: text}, f"{RENEW}=1 python -m pytest {os.environ.get('PYTEST_CURRENT_TEST', '').partition(' ')[0]!r}")


def made_by(texts: Mapping[Path, str], command: str) -> None:
    """Fail with all differences, and with the `command` that renews the files, where some don't hold their texts."""
    found = [_difference(path, text) for path, text in texts.items() if not _holds(path, text)]
    if found:
        pytest.fail(
            "\n".join([*found, "", f"If that is right, renew it, and look at `git diff`:\n  {command}"]), pytrace=False
        )


def _holds(path: Path, text: str) -> bool:
    return path.exists() and path.read_bytes().decode() == text


def _difference(path: Path, text: str) -> str:
    expected = path.read_bytes().decode() if path.exists() else ""
    # Line ends are shown: they may be what differs.
    old, new = ([repr(line)[1:-1] for line in each.splitlines(keepends=True)] for each in (expected, text))
    lines = unified_diff(old, new, f"{path.name} as it is", "as it would be", lineterm="")
    return "\n".join([f"{path.name} differs:", *lines])
