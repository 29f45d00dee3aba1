"""Tells since when and until when vLLM-Ascend has each variable and each key of `additional_config`.

`python -m tests.authoring.vllm_ascend CHECKOUT` reads every release tag of a checkout (a bare one will do), and what
is checked out there as that which comes next, and prints what the catalog says otherwise; with `--all`, everything that was found. The exit code is 1 where they differ.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from tests.authoring.dict_reads import Read, reads
from tests.authoring.python_tree import code, entries, literal, parse, positional, walk
from tests.authoring.releases import Releases

COMPONENT = "vllm-ascend"
_SOURCE = "vllm_ascend"
_ROOT = "additional_config"
_VARIABLES = "vllm_ascend/envs.py"
_TABLE = "env_variables"
_READ = re.compile(r"""\b(?:getenv|environ\.get)\(\s*["'](\w+)["']""")
"""Variables are read beside the table, too: an old name lives on where code asks for both."""
_UNRELEASED = "HEAD"
"""What the next release is made of."""


class Fact(NamedTuple):
    """One name over all releases."""

    surface: Surface
    name: str
    """A key within others has dots."""
    since: str | None
    """`None`: no release has it yet."""
    last: str
    """The last release that has it."""
    until: str | None
    """The first release that doesn't; `None`: the newest one has it, or what comes after it does."""
    read: Read
    """In the last release that has it."""


class Group(NamedTuple):
    """One dict over all releases, and whether another key in it stops the server."""

    name: str
    refused_since: str


class Told(NamedTuple):
    """What the source of one release shows."""

    read: Mapping[tuple[Surface, str], Read]
    refusing: Sequence[str]
    """Dicts in which another key stops the server."""


def facts(releases: Releases) -> tuple[list[Fact], list[Group]]:
    """Return what the release tags show, by surface and name."""
    tags = [*releases.tags(), _UNRELEASED]
    found: dict[tuple[Surface, str], dict[str, Read]] = {}
    refusing: dict[str, list[str]] = {}
    for tag in tags:
        told = reads_of(releases, tag)
        for each, read in told.read.items():
            found.setdefault(each, {})[tag] = read
        for path in told.refusing:
            refusing.setdefault(path, []).append(tag)
    made = [_fact(surface, name, each, tags) for (surface, name), each in found.items()]
    return sorted(made, key=lambda fact: (fact.surface, fact.name)), sorted(
        Group(name, each[0].lstrip("v")) for name, each in refusing.items() if each != [_UNRELEASED]
    )


def reads_of(releases: Releases, tag: str) -> Told:
    """Return what the source of one tag reads."""
    files = releases.holding(tag, _ROOT, _SOURCE)
    trees = [parse(releases.text(tag, path) or "") for path in files if path.endswith(".py")]
    told = reads((tree for tree in trees if tree is not None), _ROOT)
    found = {(Surface.ENV, name): Read("string", None) for name in _read_elsewhere(releases, tag)}
    found.update({(Surface.ENV, name): read for name, read in _variables(releases, tag)})
    found.update({(Surface.ADDITIONAL_CONFIG, ".".join(path)): read for path, read in told.keys.items()})
    return Told(found, [".".join(path) for path in told.refusing])


def _fact(surface: Surface, name: str, by_tag: dict[str, Read], tags: Sequence[str]) -> Fact:
    having = [tag for tag in tags if tag in by_tag]
    later = tags[tags.index(having[-1]) + 1 : -1]
    until = later[0].lstrip("v") if later else None
    since = having[0].lstrip("v") if having[0] != _UNRELEASED else None
    return Fact(surface, name, since, having[-1].lstrip("v"), until, by_tag[having[-1]])


def _read_elsewhere(releases: Releases, tag: str) -> Iterator[str]:
    paths = {path for word in ("getenv", "environ") for path in releases.holding(tag, word, _SOURCE)} - {_VARIABLES}
    for path in sorted(paths):
        if path.endswith(".py"):
            yield from _READ.findall(releases.text(tag, path) or "")


def _variables(releases: Releases, tag: str) -> Iterator[tuple[str, Read]]:
    tree = parse(releases.text(tag, _VARIABLES) or "")
    for node in walk(tree) if tree is not None else ():
        target = node.target if isinstance(node, cst.AnnAssign) else None
        if isinstance(node, cst.Assign):
            target = node.targets[0].target
        table = node.value if isinstance(node, (cst.Assign, cst.AnnAssign)) else None
        if isinstance(target, cst.Name) and target.value == _TABLE and isinstance(table, cst.Dict):
            for key, made in entries(table):
                name = literal(key)
                if isinstance(name, str):
                    yield name, _variable(made)


def _variable(made: cst.BaseExpression) -> Read:
    """Return the type of a variable, and the text that counts where it isn't set."""
    calls = [each for each in walk(made) if isinstance(each, cst.Call)]
    wrapped = [code(each.func) for each in calls]
    got = next((positional(each) for each in calls if code(each.func) in ("os.getenv", "os.environ.get")), [])
    value = literal(got[1]) if len(got) > 1 else None
    kind = "bool" if "bool" in wrapped else "int" if "int" in wrapped else "string"
    return Read(kind, repr(str(value)) if isinstance(value, (str, int, float)) else None)


def differences(found: Sequence[Fact]) -> Iterator[str]:
    """Yield what the catalog says otherwise than `found`."""
    catalog = load()
    for fact in found:
        option = catalog.option(fact.surface, fact.name)
        if option is None or option.component != COMPONENT:
            if fact.surface is not Surface.ENV or fact.name.startswith("VLLM_ASCEND"):
                yield f"{_line(fact)}: not in the catalog"
            continue
        yield from (f"{fact.surface.value} {fact.name}: {each}" for each in _told_otherwise(fact, option))
    names = {(fact.surface, fact.name) for fact in found}
    for surface in (Surface.ENV, Surface.ADDITIONAL_CONFIG):
        for option in catalog.options(surface):
            if option.component == COMPONENT and (surface, option.name) not in names:
                yield f"{surface.value} {option.name}: no release has it"


def _told_otherwise(fact: Fact, option: Option) -> Iterator[str]:
    if option.since != fact.since:
        yield f"since {fact.since}, the catalog has {option.since}"
    gone = option.removed.version if option.removed is not None else None
    if gone != fact.until:
        yield f"until {fact.until}, the catalog has {gone}"


def _line(fact: Fact) -> str:
    until = f" until {fact.until}" if fact.until else ""
    return f"{fact.surface.value} {fact.name}: since {fact.since}{until}, {fact.read.type}, default {fact.read.default}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.vllm_ascend", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout of vllm-project/vllm-ascend with its tags")
    parser.add_argument("--all", action="store_true", help="print everything that was found, and compare nothing")
    chosen = parser.parse_args(arguments)
    found, groups = facts(Releases(chosen.checkout))
    if chosen.all:
        lines = [
            *map(_line, found),
            *(f"{each.name}: another key is an error since {each.refused_since}" for each in groups),
        ]
    else:
        lines = list(differences(found))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines and not chosen.all else 0


if __name__ == "__main__":
    sys.exit(main())
