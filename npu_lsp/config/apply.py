"""Lays the keys of one source (a file, the command line, an editor) over a configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.severity import Severity

_PLAIN = ("language", "respect-gitignore", "force-exclude", "max-file-size", "output-format", "cache")
_LISTS = ("select", "ignore", "known", "include", "exclude")


def applied(config: Config, table: Mapping[str, Any], *, folder: Path, origin: Callable[[str], str]) -> Config:
    """Return `config` with the keys of `table`, which must have the form of `npu_lsp.config.keys.FORM`.

    Paths are relative to `folder`. `origin` tells where a key comes from, for people.
    """
    changes = dict(_changes(config, table, folder))
    origins = {**config.origins, **{key: origin(key) for key in table if key != "extend"}}
    # Of house rules several files have some each.
    origins |= {f"house-rules.{name}": origin(f"house-rules.{name}") for name in table.get("house-rules", ())}
    return config._replace(**changes, origins=origins)


def _changes(config: Config, table: Mapping[str, Any], folder: Path) -> Iterator[tuple[str, Any]]:
    for key in _PLAIN:
        if key in table:
            yield key.replace("-", "_"), table[key]
    for key in _LISTS:
        if key in table:
            yield key, tuple(table[key])
    for key in ("baseline", "cache-dir"):
        if key in table:
            yield key.replace("-", "_"), resolved(table[key], folder)
    if "catalog" in table:
        yield "catalog", tuple(resolved(path, folder) for path in table["catalog"])
    if "fail-on" in table:
        yield "fail_on", Severity(table["fail-on"])
    yield from _joined(config, table)


def _joined(config: Config, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what adds to `config`, rather than taking its place."""
    for key, known in (
        ("extend-select", config.extend_select),
        ("extend-safe-fixes", config.extend_safe_fixes),
        ("extend-unsafe-fixes", config.extend_unsafe_fixes),
    ):
        if key in table:
            yield key.replace("-", "_"), (*known, *table[key])
    if "extend-exclude" in table:
        yield "exclude", (*table.get("exclude", config.exclude), *table["extend-exclude"])
    if "per-file-ignores" in table:
        ignores = {**dict(config.per_file_ignores), **{g: tuple(c) for g, c in table["per-file-ignores"].items()}}
        yield "per_file_ignores", tuple(ignores.items())
    if "severity" in table:
        yield "severity", {**config.severity, **{_rule(k): Severity(v) for k, v in table["severity"].items()}}
    if "target" in table:
        target = table["target"]
        products = tuple(target["products"]) if "products" in target else config.target.products
        versions = {name: version for name, version in target.items() if name != "products"}
        yield "target", TargetConfig({**config.target.versions, **versions}, products)
    if "profiles" in table:
        yield "profiles", {**config.profiles, **table["profiles"]}
    if "house-rules" in table:
        yield "house_rules", {**config.house_rules, **table["house-rules"]}


def resolved(path: str, folder: Path) -> Path:
    """Return the path that a configuration in `folder` means: `~` and `$VAR` expanded, relative to `folder`."""
    # Not `Path.expanduser`, which raises where there is no such user.
    return Path(os.path.normpath(folder / os.path.expandvars(os.path.expanduser(path))))  # noqa: PTH111


def _rule(code_or_name: str) -> str:
    """Return a code in capitals, a name as it is."""
    return code_or_name.upper() if code_or_name.upper().startswith("NPU") else code_or_name
