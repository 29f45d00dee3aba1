"""Tells since when a repository reads the environment variables that it is the source of.

`python -m tests.authoring.variables CHECKOUT SOURCE` reads every release tag of a checkout (a bare one will do), looks for the
variables whose first source in the catalog is SOURCE (`mooncake`, `hccl`), and prints what the catalog says otherwise; with `--all`,
everything that was found. The exit code is 1 where they differ. A variable that came from another repository is older than its first
release here: whether that is so, people decide.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Version
from tests.authoring.releases import Releases, release_of


class Fact(NamedTuple):
    """When a repository began to read a variable."""

    name: str
    since: str | None
    """`None`: its oldest release does, or a later one no longer does."""
    known: str | None
    """What the catalog has."""


def facts(releases: Releases, source: str) -> Iterator[Fact]:
    """Yield what the release tags show of the variables of `source`, by name."""
    options = [
        each for each in load().options(Surface.ENV) if each.sources and each.sources[0].startswith(f"{source}:")
    ]
    names = [option.name for option in options]
    tags = releases.tags()
    read = {tag: releases.words(tag, names, ".") for tag in tags} if names else {}
    for option in sorted(options, key=lambda option: option.name):
        yield Fact(option.name, _since(option, [tag for tag in tags if option.name in read[tag]], tags), option.since)


def _since(option: Option, having: Sequence[str], tags: Sequence[str]) -> str | None:
    """Return the first version with a variable, where all later ones have it and an older one doesn't."""
    if not having or len(having) == len(tags) or list(having) != list(tags[-len(having) :]):
        return None
    # What a beta of CANN has comes with its line.
    return Version.parse(having[0]).line if option.component == CANN else release_of(having[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.variables", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout with its tags")
    parser.add_argument("source", help="what the catalog calls the repository")
    parser.add_argument("--all", action="store_true", help="print everything that was found, and compare nothing")
    chosen = parser.parse_args(arguments)
    found = facts(Releases(chosen.checkout), chosen.source)
    told = [each for each in found if chosen.all or (each.since is not None and each.since != each.known)]
    sys.stdout.write("".join(f"{each.name}: since {each.since}, the catalog has {each.known}\n" for each in told))
    return 1 if told and not chosen.all else 0


if __name__ == "__main__":
    sys.exit(main())
