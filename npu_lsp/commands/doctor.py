"""`npu-lsp doctor`: prints what a bug report needs."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from npu_lsp import __version__
from npu_lsp.checking import stderr
from npu_lsp.commands.arguments import add_configuration, add_format, discovery
from npu_lsp.commands.language import chosen, language_of, told
from npu_lsp.commands.output import write_out
from npu_lsp.config.errors import ConfigError
from npu_lsp.config.verify import verify
from npu_lsp.text.terminal import as_json, shown

_PACKAGES = ("pygls", "lsprotocol", "libcst", "tree-sitter", "tree-sitter-bash", "ahocorasick-rs", "pyyaml", "tomli")
_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "CI", "NO_COLOR", "NPU_LSP_CACHE_DIR", "NPU_LSP_NO_CACHE")

Facts = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Prints what a bug report needs: versions, target, toolkit, configuration, catalog. It sends nothing anywhere.",
        "输出问题反馈所需的信息：版本、运行目标、工具包、配置、配置项目录。不会向任何地方发送数据。",
    )
    path = told("the file or folder it is about", "相关的文件或目录")
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help=path)
    add_format(parser, "text", "json")
    add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the facts; 2 when something is broken, which is printed too."""
    facts: Facts = {"npu-lsp": _program()}
    problems: list[str] = []
    for name, find in (
        ("catalog", _catalog),
        ("toolkit", _toolkit),
        ("environment", _environment),
        ("configuration", _configuration),
    ):
        try:
            facts[name] = find(arguments)
        except ConfigError as error:
            problems += [problem.told(chosen()) for problem in error.problems]
        except Exception as error:
            # Whatever is broken is what the report is about.
            problems.append(f"{name}: {type(error).__name__}: {error}")
    facts["environment"] = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    facts["problems"] = problems
    text = as_json(facts) if arguments.format == "json" else _text(facts)
    write_out([text])
    return 2 if problems else 0


def _program() -> Facts:
    return {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})",
        "platform": platform.platform(),
        "machine": platform.machine(),
        "encoding": f"{sys.getfilesystemencoding()}, stdout {sys.stdout.encoding}",
        "installed in": os.fspath(Path(__file__).parent.parent),
        "packages": {name: _version(name) for name in _PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _catalog(_: argparse.Namespace) -> Facts:
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.model import Surface
    from npu_lsp.rules import all_rules

    catalog = load()
    return {
        "date": catalog.date,
        "options": {surface.value: len(catalog.names(surface)) for surface in Surface if catalog.names(surface)},
        "rules": len(all_rules()),
    }


def _toolkit(_: argparse.Namespace) -> Facts | str:
    from npu_lsp.catalog import toolkit

    find = getattr(toolkit, "installed", None)
    found = find() if find is not None else None
    if found is None:
        return "none found"
    return {"home": os.fspath(found.home), "version": found.version or "unknown"}


def _environment(_: argparse.Namespace) -> Facts | str:
    from npu_lsp.catalog import environment

    return dict(environment.installed()) or "none in an activated environment"


def _configuration(arguments: argparse.Namespace) -> Facts:
    path = os.path.abspath(arguments.path)
    config = discovery(arguments).config_for(path if os.path.isdir(path) else os.path.dirname(path))
    verify(config, stderr.warn)
    return {
        "file": os.fspath(config.path) if config.path else "none: defaults",
        "root": os.fspath(config.root) if config.root else "",
        "target": dict(config.target.versions) or "what is installed, else the newest",
        "products": list(config.target.products) or "any",
        "language": f"{config.language} ({language_of(config.language)})",
        "set": {name: config.origins[name] for name in sorted(config.origins)} or "nothing",
    }


def _text(facts: Facts) -> str:
    return "".join(f"{shown(line)}\n" for name, value in facts.items() for line in _lines(name, value, 0))


def _lines(name: str, value: object, depth: int) -> list[str]:
    indent = "  " * depth
    if isinstance(value, dict):
        inner = [line for key, each in value.items() for line in _lines(str(key), each, depth + 1)]
        return [f"{indent}{name}:", *(inner or [f"{indent}  none"])]
    if isinstance(value, list):
        return [f"{indent}{name}:", *(f"{indent}  {each}" for each in value or ["none"])]
    return [f"{indent}{name}: {value}"]
