"""Tells since when and until when torch_npu has what options are made of.

That is each attribute, each argument and each constant that is a value; and since when it reads the variables that are its own.

`python -m tests.authoring.torch_npu CHECKOUT` reads every release branch of a checkout (a bare one will do) that the
compatibility table there names, and prints what the catalog says otherwise; with `--all`, everything that was found. The
exit code is 1 where they differ.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import ROWS
from npu_lsp.catalog.target import Version
from tests.authoring.python_tree import code, method, parse, statements, walk
from tests.authoring.releases import Releases

COMPONENT = "torch-npu"
_SOURCE = "torch_npu"
_TABLE = "COMPATIBILITY.md"
_ROW = re.compile(r"^\|\s*(?P<version>\d{1,4}\.\d{1,4}[\w.]{0,20})[^|]*\|\s*(?P<branch>v\S+)\s*\|", re.MULTILINE)
_OLDEST = Version.parse("1.11.0")
_NPU = ("torch_npu/npu/npu_config.py", "torch_npu/npu/npu_frontend_enhance.py", "torch_npu/npu/utils.py")
_NPU_MORE = ("torch_npu/npu/memory.py", "torch_npu/npu/__init__.py")
_PROFILER = tuple(f"torch_npu/profiler/{name}.py" for name in ("experimental_config", "profiler", "scheduler"))
_CLASS_OF = {"schedule": "Schedule"}
_OBJECT = re.compile(r"^(config|matmul|conv) = \w+\.(\w+)\(\)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"name == [\"'](\w+)[\"']")

Name = tuple[Surface, str]


class Fact(NamedTuple):
    """One name over all releases."""

    surface: Surface
    name: str
    since: str | None
    """The first release of each line that got it later than that line began, and of the first line that always had it;
    `None`: all have it."""
    until: str | None
    """The same for the releases that no longer have it; `None`: the newest one does."""


def facts(releases: Releases) -> list[Fact]:
    """Return what the release branches show, by surface and name."""
    table = releases.text("HEAD", _TABLE) or ""
    branches = {
        row["version"]: row["branch"] for row in _ROW.finditer(table) if Version.parse(row["version"]) >= _OLDEST
    }
    variables = _variables()
    found: dict[Name, set[str]] = {}
    for version, branch in branches.items():
        read = releases.words(branch, variables, _SOURCE)
        for each in {*_names(releases, branch), *((Surface.ENV, name) for name in read)}:
            found.setdefault(each, set()).add(version)
    made: list[Fact] = []
    for (surface, name), having in found.items():
        since = first_of_each_line(having, branches) if set(branches) - having else None
        gone = {each for each in branches if each not in having and _is_behind(each, having)}
        # What became of a variable, nobody can tell: another package may read it now.
        until = first_of_each_line(gone, branches) if gone and surface is not Surface.ENV else None
        made.append(Fact(surface, name, since, until))
    return sorted(made, key=lambda fact: (fact.surface, fact.name))


def first_of_each_line(having: Iterable[str], every: Iterable[str]) -> str:
    """Return the releases since which something is there, one a line, the oldest line first.

    Lines behind the last one that is named have it from their beginning.
    """
    lines: dict[str, list[str]] = {}
    for version in sorted(every, key=Version.parse):
        lines.setdefault(Version.parse(version).line, []).append(version)
    there = set(having)
    firsts = {line: next((each for each in members if each in there), None) for line, members in lines.items()}
    named = list(lines)
    # From the newest line back to the last one that began without it.
    while len(named) > 1 and firsts[named[-1]] == lines[named[-1]][0] and firsts[named[-2]] is not None:
        named.pop()
    return ", ".join(first for line in named if (first := firsts[line]) is not None)


def _is_behind(version: str, having: Iterable[str]) -> bool:
    """Return whether a release is newer than all of its line that have a name, or of a line behind all that do."""
    parsed = [Version.parse(each) for each in having]
    own = Version.parse(version)
    of_line = [each for each in parsed if each.line == own.line]
    return own > max(of_line) if of_line else own > max(parsed)


def _names(releases: Releases, branch: str) -> Iterator[Name]:
    npu = {path: releases.text(branch, path) or "" for path in (*_NPU, *_NPU_MORE)}
    trees = [tree for text in npu.values() if (tree := parse(text)) is not None]
    classes = {node.name.value: node for tree in trees for node in walk(tree) if isinstance(node, cst.ClassDef)}
    for thing, cls in _OBJECT.findall(npu["torch_npu/npu/__init__.py"]):
        setter = method(classes[cls], "__setattr__") if cls in classes else None
        for attribute in _ATTRIBUTE.findall(code(setter)) if setter is not None else ():
            yield Surface.NPU_ATTRIBUTES, f"{thing}.{attribute}"
    yield from _arguments(trees, Surface.NPU_CALLS)
    profiler = [tree for path in _PROFILER if (tree := parse(releases.text(branch, path) or "")) is not None]
    yield from _arguments(profiler, Surface.PROFILER)
    for tree in profiler[:1]:
        for node in statements(tree):
            if isinstance(node, cst.ClassDef) and node.name.value in ROWS[Surface.PROFILER].members:
                for name in _constants(node):
                    yield Surface.PROFILER, f"={node.name.value}.{name}"


def _variables() -> list[str]:
    """Return the environment variables that are torch_npu's own."""
    return [option.name for option in load().options(Surface.ENV) if option.component == COMPONENT]


def _constants(owner: cst.ClassDef) -> Iterator[str]:
    """Yield the names that a class gives values to."""
    for each in statements(owner):
        if isinstance(each, cst.Assign) and isinstance(each.targets[0].target, cst.Name):
            yield each.targets[0].target.value


def _arguments(trees: Sequence[cst.Module], surface: Surface) -> Iterator[Name]:
    calls = {_CLASS_OF.get(call.name, call.name): call for call in ROWS[surface].arguments}
    for tree in trees:
        for node in statements(tree):
            call = calls.get(node.name.value) if isinstance(node, (cst.FunctionDef, cst.ClassDef)) else None
            made = method(node, "__init__") if isinstance(node, cst.ClassDef) else node
            if call is not None and isinstance(made, cst.FunctionDef):
                for each in (*made.params.params, *made.params.kwonly_params):
                    if each.name.value != "self":
                        yield surface, call.prefix + each.name.value


def differences(found: Sequence[Fact]) -> Iterator[str]:
    """Yield what the catalog says otherwise than `found`."""
    catalog = load()
    values = _values()
    for fact in found:
        if fact.name.startswith("="):
            since = values.get(fact.name[1:])
            if since != fact.since:
                yield f"{fact.name[1:]}: since {fact.since}, the catalog has {since}"
            continue
        option = catalog.option(fact.surface, fact.name)
        if option is None:
            yield f"{_line(fact)}: not in the catalog"
            continue
        gone = option.removed.version if option.removed is not None else None
        if (option.since, gone) != (fact.since, fact.until):
            yield f"{_line(fact)}, the catalog has {option.since} until {gone}"


def _values() -> Mapping[str, str | None]:
    """Return the constants that are values, with the release that has them: that of their option, unless it says one."""
    options = load().options(Surface.PROFILER)
    return {str(each.value): each.since or option.since for option in options for each in option.values}


def _line(fact: Fact) -> str:
    until = f" until {fact.until}" if fact.until else ""
    return f"{fact.surface.value} {fact.name}: since {fact.since}{until}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.torch_npu", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout of Ascend/pytorch with its branches")
    parser.add_argument("--all", action="store_true", help="print everything that was found, and compare nothing")
    chosen = parser.parse_args(arguments)
    found = facts(Releases(chosen.checkout))
    lines = list(map(_line, found)) if chosen.all else list(differences(found))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines and not chosen.all else 0


if __name__ == "__main__":
    sys.exit(main())
