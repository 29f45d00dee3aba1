"""What can be configured, with its defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Language

if TYPE_CHECKING:
    from npu_lsp.catalog.target import Target
    from npu_lsp.catalog.toolkit import Toolkit
    from npu_lsp.text.kinds import Kind

_DEFAULT_EXCLUDE = (
    ".Trash*",
    ".bzr",
    ".cache",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".history",
    ".ipynb_checkpoints",
    ".lh",
    ".local-history",
    ".mypy_cache",
    ".nox",
    ".npu-lsp-cache",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".virtual_documents",
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
)
"""What tools keep for themselves: what they install, what they remember, and the copies that editors make."""


FORMATS = (
    *("full", "concise", "markdown", "json", "json-lines", "sarif", "github", "gitlab", "azure", "junit", "checkstyle"),
    *("rdjson", "html", "csv"),
)
"""What a report can be written as: the names of the modules of `npu_lsp.reports` that do."""


class TargetConfig(NamedTuple):
    """What the code must run on, as it is written in the configuration."""

    versions: Mapping[str, str] = {}
    """By component."""
    products: tuple[str, ...] = ()

    def resolved(self, toolkit: Toolkit | None, packages: Mapping[str, str] | None = None) -> Target:
        """Return what the code must run on: the configuration's word, else what is installed, else the newest.

        `packages` are the versions of the components that an environment has.
        """
        from npu_lsp.catalog.components import CANN
        from npu_lsp.catalog.target import Target

        versions = {**(packages or {}), **self.versions}
        if toolkit is not None and toolkit.version is not None:
            versions.setdefault(CANN, toolkit.version)
        return Target.parse(versions, self.products)


_WITH_PICTURES = 10


class Config(NamedTuple):
    """Everything that is in force for a file. `npu_lsp.config.keys` tells each key's name and meaning."""

    select: tuple[str, ...] = ()
    """Codes, prefixes of codes or names of rules to run; empty: those that run by default."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    """Codes, prefixes of codes or names of rules whose fixes are made without asking."""
    extend_unsafe_fixes: tuple[str, ...] = ()
    """Those whose fixes are not."""
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Glob (relative to `root`) and the codes that are ignored in what it matches."""
    severity: Mapping[str, Severity] = {}
    """By code or name of a rule."""
    known: tuple[str, ...] = ()
    """Option names that the catalog doesn't know and that are right here; a glob such as `my_*` works."""
    catalog: tuple[Path, ...] = ()
    """Files that add options or correct them."""
    target: TargetConfig = TargetConfig()
    profiles: Mapping[str, Mapping[str, str]] = {}
    """Sets of switches of one's own: the values by option, by profile."""
    house_rules: Mapping[str, Mapping[str, Any]] = {}
    """Constraints of one's own, by name, as they are written: `npu_lsp.linter.house.rows` reads them."""
    language: Language | Literal["auto"] = "auto"
    baseline: Path | None = None
    include: tuple[str, ...] = ()
    """Globs of files that are read besides those that are known by name or first line."""
    exclude: tuple[str, ...] = _DEFAULT_EXCLUDE
    respect_gitignore: bool = True
    force_exclude: bool = False
    """Whether `exclude` holds for files that are named on the command line too."""
    max_file_size: int = 2_000_000
    """In bytes; a larger file is one finding. Most of a notebook are pictures, so that it may be ten times as large."""
    output_format: str = "full"
    fail_on: Severity = Severity.WARNING
    """The command exits with 1 when a finding is at least as bad."""
    cache: bool = True
    cache_dir: Path | None = None
    """`None`: `.npu-lsp-cache` in `root`."""
    root: Path | None = None
    """The folder that globs and paths are relative to: where the configuration was found."""
    path: Path | None = None
    """The file that was found, `None` where there is none."""
    origins: Mapping[str, str] = {}
    """Where each key that isn't a default comes from, for `npu-lsp config`."""

    def size_limit(self, kind: Kind | None) -> int:
        """Return how many bytes a file of that kind may have."""
        from npu_lsp.languages.registry import BY_KIND

        language = BY_KIND.get(kind) if kind is not None else None
        return self.max_file_size * (_WITH_PICTURES if language is not None and language.pictures else 1)

    def excludes(self, absolute: str) -> bool:
        """Return whether a file, or a folder that was named, is one of those to pass over."""
        from npu_lsp.text.globs import globs

        return globs(self.exclude).matches(self.relative(absolute))

    def relative(self, absolute: str) -> str:
        """Return an absolute path as the globs see it: relative to the root, with `/`; empty for the root."""
        root = os.fspath(self.root) if self.root is not None else ""
        if absolute == root:
            return ""
        inside = root and absolute.startswith(root.rstrip(os.sep) + os.sep)
        path = absolute[len(root.rstrip(os.sep)) + 1 :] if inside else os.path.splitdrive(absolute)[1]
        return path.replace(os.sep, "/").lstrip("/")


KEY_NAMES = frozenset(
    {"extend", "extend-exclude"}
    | {field.replace("_", "-") for field in Config._fields if field not in ("root", "path", "origins")}
)
"""The names of all keys. `npu_lsp.config.keys` says what each takes."""
