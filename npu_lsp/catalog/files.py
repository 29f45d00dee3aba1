"""The files of the catalog's own data."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data"
"""The folder with the catalog's files."""

PLAIN = (
    *("catalog.toml", "products.toml", "soc_versions.toml", "versions.toml", "sources.toml", "surfaces.toml"),
    *("usage.toml", "error_codes.toml", "profiles.toml", "programs.toml", "other_variables.toml", "deployment.toml"),
    *("pairs.toml", "other_flags.toml", "refusals.toml", "models.toml", "kubernetes.toml", "script_flags.toml"),
    *("install_paths.toml", "modules.toml", "torch_calls.toml", "well_known.toml"),
)
"""The files that hold no options: what facts refer to."""


SIGNATURES = "signatures"
"""The folder of phrases of messages, a file for each component."""
RECIPES = "recipes"
"""The folder of what official pages set, a file for each project."""


def option_files(folder: Path = DATA) -> list[Path]:
    """Return the files below `folder` that hold options or fusion rules, sorted."""
    return sorted(
        path
        for path in folder.rglob("*.toml")
        if path.name not in PLAIN and path.parent.name not in (SIGNATURES, RECIPES)
    )


def kept_in(name: str, folder: Path = DATA) -> list[Path]:
    """Return the files of the folder of signatures or of recipes, sorted."""
    return sorted((folder / name).glob("*.toml"))
