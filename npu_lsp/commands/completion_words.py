"""The words that an argument takes, as far as they are known."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.profiles import profiles
from npu_lsp.commands.main import command_names, operands
from npu_lsp.rules import all_rules

_FILES = frozenset(("FILE", "DIR", "PATH", "REPORT", "NAME", "LOG", "A", "B"))
"""Words of what help calls an argument that is the path of something."""
_TAKE_RULES = ("rule", "select", "extend_select", "ignore")
_TAKE_LISTS = frozenset(("select", "extend_select", "ignore"))


def choices(action: argparse.Action) -> list[str]:
    """Return the words that an argument takes, none where anything may stand."""
    if action.choices:
        return [str(choice) for choice in action.choices]
    if action.dest in _TAKE_RULES:
        return [rule.code for rule in all_rules()]
    if action.dest == "profile":
        return [*profiles(load(), {})]
    if names_versions(action):
        return [f"{name}={value}" for name, values in targets().items() for value in values]
    if action.dest in targets():
        return targets()[action.dest]
    if action.dest == "word":
        return sorted({word for command in command_names() if command != "help" for word in fixed_words(command)})
    return option_names() if action.metavar == "NAME" and action.nargs == "?" else []


def fixed_words(command: str) -> list[str]:
    """Return the words of its own that a command takes in the first place: `show` of `options`."""
    first = next(iter(operands(command)), None)
    return [str(choice) for choice in (first.choices if first is not None else None) or ()]


def takes_list(action: argparse.Action) -> bool:
    """Tell whether an argument takes several of its words, with commas."""
    return action.dest in _TAKE_LISTS or names_versions(action)


def takes_files(action: argparse.Action) -> bool:
    """Tell whether an argument is the path of something."""
    words = re.split(r"[^A-Z]+", str(action.metavar))
    return not _FILES.isdisjoint(words) and not choices(action)


def names_versions(action: argparse.Action) -> bool:
    """Tell whether an argument is a target, such as `cann=9.0`."""
    return action.metavar == "KEY=VALUE"


def targets() -> Mapping[str, list[str]]:
    """Return what `--target` can name, and the values of each."""
    catalog = load()
    lines = catalog.plain("versions")
    return {**{name: list(lines[name]) for name in COMPONENTS}, "product": list(products(catalog).ids)}


def option_names() -> list[str]:
    """Return the names that `options show` knows."""
    catalog = load()
    return sorted({name for surface in Surface for name in catalog.names(surface)})
