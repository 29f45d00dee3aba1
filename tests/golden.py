"""Files that hold what is expected, byte for byte."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

import pytest

RENEW = "NPU_LSP_UPDATE_EXPECTED"


def agrees(path: Path, text: str) -> None:
    """Fail with the difference, and with how to renew the file, where `path` doesn't hold `text`."""
    if os.environ.get(RENEW):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    expected = path.read_bytes().decode() if path.exists() else ""
    if expected == text and path.exists():
        return
    # Line ends are shown: they may be what differs.
    old, new = ([repr(line)[1:-1] for line in each.splitlines(keepends=True)] for each in (expected, text))
    lines = "\n".join(unified_diff(old, new, f"{path.name} as it is", "as it would be", lineterm=""))
    command = f"{RENEW}=1 python -m pytest {os.environ.get('PYTEST_CURRENT_TEST', '').partition(' ')[0]!r}"
    pytest.fail(
        f"{path.name} differs:\n{lines}\n\nIf that is right, renew it, and look at `git diff`:\n  {command}",
        pytrace=False,
    )
