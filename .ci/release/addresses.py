"""The addresses of the project: they stand in `pyproject.toml` alone."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def addresses() -> dict[str, str]:
    """Return them by their names there."""
    table = PROJECT.read_text(encoding="utf-8").partition("[project.urls]\n")[2].partition("\n\n")[0]
    return {
        name.strip(): value.strip().strip('"')
        for name, _, value in (line.partition("=") for line in table.splitlines())
    }
