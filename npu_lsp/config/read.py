"""Reads one configuration file, and those that it extends."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from npu_lsp.config.apply import applied, resolved
from npu_lsp.config.errors import NOT_SHOWN, ConfigError, ConfigProblem, is_hidden
from npu_lsp.config.keys import FORM
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Text
from npu_lsp.text.small_file import read_text, reason
from npu_lsp.text.toml import TomlError, line_of, parse
from npu_lsp.text.toml_shape import ShapeProblem

_LIMIT = 1_000_000
"""Bytes of a configuration file at the most."""
_DEEPEST = 20
"""So many files are read that extend each other; a link can make one file look like many."""
_SECTION = "tool.npu-lsp"


def read(path: Path, base: Config) -> Config:
    """Return `base` with what the file at `path` says, and below it what the files say that it extends.

    Raises `ConfigError` for a file that can't be read or used.
    """
    return _shown(path, base, ())


def _shown(path: Path, base: Config, below: tuple[Path, ...]) -> Config:
    try:
        return _read(path, base, below)
    except ConfigError as error:
        if is_hidden(path, below[-1].parent if below else None):
            raise ConfigError([ConfigProblem(path, None, NOT_SHOWN)]) from error
        raise


def _read(path: Path, base: Config, below: tuple[Path, ...]) -> Config:
    text = _text(path, below)
    table, prefix = _table(path, text)
    problems = [_problem(path, text, prefix, each) for each in FORM.problems(table, "")]
    if problems:
        raise ConfigError(problems)
    config = base
    if "extend" in table:
        parent = resolved(table["extend"], path.parent)
        itself = parent in (*below, path)
        if itself or len(below) >= _DEEPEST:
            message = (
                Text(f"extends itself through {parent}", f"经由 {parent} 扩展了自身")
                if itself
                else Text(f"more than {_DEEPEST} files extend each other", f"超过 {_DEEPEST} 个文件逐级扩展")
            )
            raise ConfigError([ConfigProblem(path, line_of(text, prefix + "extend"), message)])
        config = _shown(parent, base, (*below, path))
    return applied(config, table, folder=path.parent, origin=lambda key: _place(path, text, prefix + key))


def _text(path: Path, below: tuple[Path, ...]) -> str:
    try:
        return read_text(path, _LIMIT)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        message = Text("there is no such file", "文件不存在") if missing else reason(error)
        hint = Text(f"{below[-1]} extends it", f"由 {below[-1]} 扩展") if below else None
        raise ConfigError([ConfigProblem(path, None, message, hint)]) from error
    except UnicodeDecodeError as error:
        raise ConfigError([ConfigProblem(path, None, Text("is not UTF-8", "不是 UTF-8 编码"))]) from error


def _table(path: Path, text: str) -> tuple[Mapping[str, Any], str]:
    """Return the file's keys, and what stands before them in a dotted name."""
    try:
        table = parse(text)
    except TomlError as error:
        raise ConfigError([ConfigProblem(path, error.line, error.told)]) from error
    if path.name != "pyproject.toml":
        return table, ""
    tool = table.get("tool", {})
    section = tool.get("npu-lsp", {}) if isinstance(tool, dict) else {}
    if not isinstance(section, dict):
        message = Text(f"{_SECTION} must be a table", f"{_SECTION} 应为表")
        raise ConfigError([ConfigProblem(path, line_of(text, _SECTION), message)])
    return section, f"{_SECTION}."


def _problem(path: Path, text: str, prefix: str, problem: ShapeProblem) -> ConfigProblem:
    return ConfigProblem(path, line_of(text, prefix + problem.at), problem.placed, problem.suggestion)


def _place(path: Path, text: str, key: str) -> str:
    line = line_of(text, key)
    return f"{path}:{line}" if line else str(path)
