"""Tells since when and until when MindSpore takes each argument of its contexts, and which release warns of it.

`python -m tests.authoring.mindspore FOLDER` reads packages that lie below a folder by their version (`FOLDER/2.0.0/mindspore/...`,
of which the Python files are enough), and prints what the catalog says otherwise; with `--all`, everything that was found. Before
the oldest package nothing is known. Nightly builds (`2.5.0.dev20250202`) stand for the release that follows them. The exit code
is 1 where they differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Version
from tests.authoring.python_tree import code, entries, literal, parse, walk

COMPONENT = "mindspore"
_CONTEXT = "context.py"
_PARALLEL = "parallel/_auto_parallel_context.py"
_TABLES: tuple[tuple[str, Surface, str, str], ...] = (
    (_CONTEXT, Surface.MINDSPORE, "setters", ""),
    (_CONTEXT, Surface.MINDSPORE, "ascend_cfgs", "ascend_config."),
    (_CONTEXT, Surface.MINDSPORE, "ascend_cfg_modes", "ascend_config."),
    (_CONTEXT, Surface.MINDSPORE, "jit_cfgs", "jit_config."),
    (_CONTEXT, Surface.MINDSPORE, "aoe_cfgs", "aoe_config."),
    (_PARALLEL, Surface.MINDSPORE_PARALLEL, "_set_auto_parallel_context_func_map", ""),
    ("parallel/_ps_context.py", Surface.MINDSPORE_DEVICE, "_set_ps_context_func_map", "set_ps_context."),
)
"""Dicts whose keys are the names that a call takes."""
_GONE, _OLD = "invalid_context_dict", "deprecated_context_dict"
_WARNED = "is deprecated"
_NIGHTLY = ".dev"

Named = Mapping[tuple[Surface, str], set[str]]


class Told(NamedTuple):
    """What the sources of one release show."""

    taken: set[tuple[Surface, str]]
    gone: Mapping[str, str]
    """Arguments of `set_context` that are refused, with the release that the message names."""
    warned: set[str]
    """Those that a message warns of."""


class Fact(NamedTuple):
    """One name over all releases."""

    surface: Surface
    name: str
    since: str | None
    """`None`: the oldest release that was read has it."""
    until: str | None
    """The first release that doesn't take it; `None`: the newest one does."""
    warned: str | None
    """The first release whose message says that it will go."""


def facts(folder: Path) -> list[Fact]:
    """Return what the packages show, by surface and name."""
    versions = sorted((each.name for each in folder.iterdir() if (each / "mindspore").is_dir()), key=_release)
    told = {version: _told(folder / version / "mindspore") for version in versions}
    names = {name for each in told.values() for name in each.taken}
    return [_fact(surface, name, versions, told) for surface, name in sorted(names)]


def _release(version: str) -> Version:
    return Version.parse(version.partition(_NIGHTLY)[0])


def _fact(surface: Surface, name: str, versions: Sequence[str], told: Mapping[str, Told]) -> Fact:
    having = [each for each in versions if (surface, name) in told[each].taken]
    first, last = versions.index(having[0]), versions.index(having[-1])
    later = versions[last + 1 :]
    said = told[later[0]].gone.get(name) if later else None
    warned = [each for each in having if surface is Surface.MINDSPORE and name in told[each].warned]
    return Fact(
        surface,
        name,
        having[0].partition(_NIGHTLY)[0] if first else None,
        said or (later[0].partition(_NIGHTLY)[0] if later else None),
        warned[0].partition(_NIGHTLY)[0] if warned else None,
    )


def _told(package: Path) -> Told:
    taken: set[tuple[Surface, str]] = set()
    gone: dict[str, str] = {}
    warned: set[str] = set()
    for path in dict.fromkeys(path for path, *_ in _TABLES):
        file = package / path
        tree = parse(file.read_text("utf-8")) if file.is_file() else None
        for name, table in _tables(tree) if tree is not None else ():
            keys = [literal(key) for key, _ in entries(table)]
            texts = [key for key in keys if isinstance(key, str)]
            taken.update(
                (surface, prefix + key)
                for where, surface, told, prefix in _TABLES
                if (where, told) == (path, name)
                for key in texts
            )
            if name == _GONE:
                gone.update(_versions(table))
            elif name == _OLD:
                warned.update(texts)
        if tree is not None and path == _CONTEXT:
            taken.update((Surface.MINDSPORE, name) for name in _typed(tree, "set_context"))
            warned.update(_warned(tree))
    refused = {(Surface.MINDSPORE, name) for key in gone for name in (key, f"ascend_config.{key}")}
    return Told(taken - refused, gone, warned)


def _tables(tree: cst.CSTNode) -> Iterator[tuple[str, cst.Dict]]:
    """Yield each dict that is given a name, with it."""
    for node in walk(tree):
        if isinstance(node, cst.Assign) and isinstance(node.value, cst.Dict):
            yield code(node.targets[0].target).rpartition(".")[2], node.value


def _versions(table: cst.Dict) -> Iterator[tuple[str, str]]:
    for key, value in entries(table):
        name = literal(key)
        inner = entries(value) if isinstance(value, cst.Dict) else ()
        version = next((literal(each) for at, each in inner if literal(at) == "version"), None)
        if isinstance(name, str) and isinstance(version, str):
            yield name, version


def _typed(tree: cst.CSTNode, function: str) -> Iterator[str]:
    """Yield the arguments whose types the decorator of a function checks."""
    for node in walk(tree):
        if isinstance(node, cst.FunctionDef) and node.name.value == function:
            for each in node.decorators:
                if isinstance(each.decorator, cst.Call):
                    yield from (item.keyword.value for item in each.decorator.args if item.keyword is not None)


def _warned(tree: cst.CSTNode) -> Iterator[str]:
    """Yield the names that `set_context` compares with a key, above a message that says that they are deprecated."""
    for node in walk(tree):
        test = node.test if isinstance(node, cst.If) and _WARNED in code(node.body) else None
        if isinstance(test, cst.Comparison) and code(test.left) == "key":
            found = (literal(each) for each in walk(test) if isinstance(each, cst.SimpleString))
            yield from (each for each in found if isinstance(each, str))


def differences(found: Sequence[Fact]) -> Iterator[str]:
    """Yield what the catalog says otherwise than `found`."""
    catalog = load()
    for fact in found:
        option = catalog.option(fact.surface, fact.name)
        if option is None:
            yield f"{_line(fact)}: not in the catalog"
        else:
            yield from (f"{fact.surface.value} {fact.name}: {each}" for each in _told_otherwise(fact, option))


def _told_otherwise(fact: Fact, option: Option) -> Iterator[str]:
    oldest = min(load().plain("versions")[COMPONENT], key=Version.parse)
    since = fact.since if fact.since is not None and _release(fact.since) >= Version.parse(oldest) else None
    if option.since is not None and (since is None or _release(option.since).key[0] != _release(since).key[0]):
        yield f"since {fact.since}, the catalog has {option.since}"
    if since is None and option.unseen is not None:
        yield f"since {fact.since}, the catalog has not seen it in {option.unseen}"
    gone = option.removed.version if option.removed is not None and option.removed.rejected else None
    if (
        fact.until is not None
        and not (fact.until == gone or f"{gone}." in f"{fact.until}.")
        and option.status != "no_effect"
    ):
        yield f"until {fact.until}, the catalog has {gone}"
    if fact.warned is not None and option.deprecated is None and option.removed is None:
        yield f"warned of since {fact.warned}"


def _line(fact: Fact) -> str:
    until = f" until {fact.until}" if fact.until else ""
    warned = f", warned of since {fact.warned}" if fact.warned else ""
    return f"{fact.surface.value} {fact.name}: since {fact.since}{until}{warned}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.mindspore", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with packages of MindSpore by version")
    parser.add_argument("--all", action="store_true", help="print everything that was found, and compare nothing")
    chosen = parser.parse_args(arguments)
    found = facts(chosen.folder)
    lines = list(map(_line, found)) if chosen.all else list(differences(found))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines and not chosen.all else 0


if __name__ == "__main__":
    sys.exit(main())
