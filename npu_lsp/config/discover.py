"""Finds the configuration that is in force in a folder: the nearest one above it, and no other."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from npu_lsp.linter.configuration import Config
from npu_lsp.text.small_file import read

NAMES = ("npu-lsp.toml", ".npu-lsp.toml", "pyproject.toml")
"""Names of configuration files; in one folder the first one counts."""


class Discovery:
    """Answers which configuration is in force where. Each folder and each file is looked at once.

    From the weakest to the strongest word: the defaults, `base` (an editor's settings), the nearest file,
    `overrides` (the command line).
    """

    def __init__(
        self,
        *,
        base: Config | None = None,
        fixed: Path | None = None,
        isolated: bool = False,
        overrides: Mapping[str, Any] | None = None,
        here: Path | None = None,
    ) -> None:
        """Use the file `fixed` everywhere, or no file at all when `isolated`.

        `overrides` has the keys of a file, checked already; its paths are relative to `here`, by default the current
        folder.
        """
        self._base = base or Config()
        self._isolated = isolated
        self._overrides = overrides or {}
        self._here = here or Path.cwd()
        self._found: dict[str, Config] = {}
        self._without: Config | None = None
        self._fixed = self._loaded(fixed) if fixed is not None else None

    def config_for(self, folder: str | Path, listing: Collection[str] | None = None) -> Config:
        """Return what is in force for the files directly in `folder`, an absolute path.

        `listing` has the names in the folder, where they are known already. Raises `ConfigError` for a file that
        can't be read or used.
        """
        if self._fixed is not None:
            return self._fixed
        if self._isolated:
            return self._default()
        key = os.fspath(folder)
        passed: list[str] = []
        config = self._found.get(key)
        # Upwards in a loop: a path can name more folders than functions can call each other.
        while config is None:
            path = _file_in(key, listing)
            above = os.path.dirname(key)
            passed.append(key)
            if path is not None:
                config = self._loaded(path)
            elif above == key:
                config = self._default()
            else:
                key, listing = above, None
                config = self._found.get(key)
        self._found.update(dict.fromkeys(passed, config))
        return config

    def forget(self) -> None:
        """Look at the files anew from now on."""
        self._found.clear()

    def _default(self) -> Config:
        if self._without is None:
            self._without = self._overridden(self._base._replace(root=self._here))
        return self._without

    def _loaded(self, path: Path) -> Config:
        from npu_lsp.config.read import read

        path = self._here / path
        # With `--config` globs are relative to where the user stands, as the file may lie anywhere.
        root = self._here if path.name not in NAMES else path.parent
        return self._overridden(read(path, self._base)._replace(root=root, path=path))

    def _overridden(self, config: Config) -> Config:
        if not self._overrides:
            return config
        from npu_lsp.config.apply import applied

        return applied(config, self._overrides, folder=self._here, origin=lambda _: "command line")


def _file_in(folder: str, listing: Collection[str] | None) -> Path | None:
    """Return the configuration file directly in `folder`; a pyproject.toml counts when it has our section."""
    for name in NAMES:
        if listing is not None and name not in listing:
            continue
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name != "pyproject.toml" or _has_section(path)):
            return Path(path)
    return None


def _has_section(path: str) -> bool:
    try:
        content = read(path, 1_000_000)
    except OSError:
        return False
    if b"npu-lsp" not in content:
        return False
    from npu_lsp.text.toml import TomlError, parse

    try:
        tool = parse(content.decode("utf-8-sig", "replace")).get("tool")
    except TomlError:
        # Broken, but meant for us: reading it says what is wrong.
        return b"[tool.npu-lsp" in content
    return isinstance(tool, dict) and "npu-lsp" in tool
