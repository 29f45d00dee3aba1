"""Whole files with what is expected of them beside them; `cases/README.md` tells how to add one."""

from __future__ import annotations

from pathlib import Path

CASES = Path(__file__).with_name("cases")
EXPECTED = (".findings", ".settings")
"""What is added to a file's name for the one that holds what is expected of it."""


def case_files(*folders: str, suffix: str = "") -> list[Path]:
    """Return the cases of some folders, or of all, by name; of one suffix where that is asked for."""
    roots = [CASES / folder for folder in folders] if folders else sorted(p for p in CASES.iterdir() if p.is_dir())
    files = [path for root in roots for path in sorted(root.iterdir()) if path.is_file()]
    return [path for path in files if path.suffix not in EXPECTED and path.name.endswith(suffix)]
