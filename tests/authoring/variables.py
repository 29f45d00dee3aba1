"""Tells since when a repository has the environment variables that it is a source of.

`python -m tests.authoring.variables CHECKOUT SOURCE` reads every release tag of a checkout (a bare one will do), looks for the
variables whose first source in the catalog is SOURCE (`mooncake`, `hccl`), and prints what the catalog says otherwise; with `--all`,
everything that was found. The exit code is 1 where they differ.

`since` is the release that brought the code. Where people found that a variable came from another repository, or that it is
older than all releases, the catalog has `seen` instead: the oldest release or branch of a release whose code or docs have it.
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
    """When a repository began to have a variable."""

    name: str
    since: str | None
    """`None`: its oldest release reads it, or a later one no longer does."""
    seen: str | None
    """The oldest version that has it."""
    known: str | None
    known_seen: str | None
    """What the catalog has."""

    @property
    def agrees(self) -> bool:
        """Whether the catalog says the same, or something older from another source."""
        if self.known is not None:
            return self.since is None or self.since == self.known
        if self.seen is None:
            return True
        return self.known_seen is not None and Version.parse(self.known_seen) <= Version.parse(self.seen)


def facts(releases: Releases, source: str) -> Iterator[Fact]:
    """Yield what the release tags and branches show of the variables of `source`, by name."""
    options = [
        each for each in load().options(Surface.ENV) if each.sources and each.sources[0].startswith(f"{source}:")
    ]
    names = [option.name for option in options]
    tags = releases.tags()
    read = {tag: releases.words(tag, names, ".") for tag in tags} if names else {}
    shown = {ref: releases.words(ref, names, ".", docs=True) for ref in releases.named()} if names else {}
    for option in sorted(options, key=lambda option: option.name):
        since = _since(option, [tag for tag in tags if option.name in read[tag]], tags)
        first = (version for ref, version in releases.named().items() if option.name in shown[ref])
        seen = next((known for each in first if (known := _release(option, each)) is not None), None)
        yield Fact(option.name, since, seen, option.since, option.seen)


def _since(option: Option, having: Sequence[str], tags: Sequence[str]) -> str | None:
    """Return the first version with a variable, where all later ones have it and an older one doesn't."""
    if not having or len(having) == len(tags) or list(having) != list(tags[-len(having) :]):
        return None
    # What a beta of CANN has comes with its line.
    return Version.parse(having[0]).line if option.component == CANN else release_of(having[0])


def _release(option: Option, version: Version) -> str | None:
    """Return a version as the catalog names it: a release, or its line; `None` for one that it doesn't have."""
    facts = load().plain("versions")[option.component].get(version.line)
    if facts is None:
        return None
    return next((each for each in facts["releases"] if Version.parse(each) == version), version.line)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.variables", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout with its tags")
    parser.add_argument("source", help="what the catalog calls the repository")
    parser.add_argument("--all", action="store_true", help="print everything that was found, and compare nothing")
    chosen = parser.parse_args(arguments)
    found = facts(Releases(chosen.checkout), chosen.source)
    told = [each for each in found if chosen.all or not each.agrees]
    sys.stdout.write("".join(map(_line, told)))
    return 1 if told and not chosen.all else 0


def _line(fact: Fact) -> str:
    has = f"since {fact.known}" if fact.known is not None else f"seen {fact.known_seen}"
    return f"{fact.name}: since {fact.since}, seen {fact.seen}; the catalog has {has}\n"


if __name__ == "__main__":
    sys.exit(main())
