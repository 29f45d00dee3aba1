"""The files of the catalog's own data."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data"
"""The folder with the catalog's files."""

PLAIN = (
    *("catalog.toml", "products.toml", "soc_versions.toml", "versions.toml", "sources.toml", "surfaces.toml"),
    *("usage.toml", "error_codes.toml", "profiles.toml", "programs.toml", "other_variables.toml", "deployment.toml"),
    *("pairs.toml", "other_flags.toml"),
)
"""The files that hold no options: what facts refer to."""


SIGNATURES = "signatures"
"""The folder of phrases of messages, a file for each component."""


def option_files(folder: Path = DATA) -> list[Path]:
    """Return the files below `folder` that hold options or fusion rules, sorted."""
    return sorted(path for path in folder.rglob("*.toml") if path.name not in PLAIN and path.parent.name != SIGNATURES)


def signature_files(folder: Path = DATA) -> list[Path]:
    """Return the files below `folder` that hold signatures, sorted."""
    return sorted((folder / SIGNATURES).glob("*.toml"))
