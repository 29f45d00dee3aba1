"""Tells since when CANN documents its environment variables: `python -m tests.authoring.documented`.

`documented.toml` beside it has the lists of variables that pages of several versions show. Prints what the catalog says otherwise:
a variable that no release dates (`since`) was `seen` no later than on its oldest page, and is `unseen` on the newest page before that of
the same chapter. The exit code is 1 where they differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read

_PAGES = Path(__file__).with_suffix(".toml")


class Page(NamedTuple):
    """A page of one version with names of variables."""

    url: str
    version: str
    names: tuple[str, ...]
    chapter: str = ""


def pages(path: Path = _PAGES) -> list[Page]:
    """Return the pages, the oldest version first."""
    found = [Page(**{**each, "names": tuple(each["names"])}) for each in read(path)["pages"]]
    return sorted(found, key=lambda page: Version.parse(page.version))


def differences(known: Iterable[Page]) -> Iterator[str]:
    """Yield what the catalog says otherwise than the pages, the oldest first."""
    every = list(known)
    catalog = load()
    for name in dict.fromkeys(name for page in every for name in page.names):
        option = catalog.option(Surface.ENV, name)
        if option is None:
            yield f"{name}: not in the catalog"
        elif option.since is None:
            yield from _told_otherwise(option, next(page for page in every if name in page.names), every)


def _told_otherwise(option: Option, first: Page, every: Iterable[Page]) -> Iterator[str]:
    if option.seen is None or Version.parse(option.seen) > Version.parse(first.version):
        yield f"{option.name}: seen in {first.version} ({first.url}), the catalog has {option.seen}"
        return
    before = None
    for page in every:
        if (
            first.chapter
            and page.chapter == first.chapter
            and Version.parse(page.version) < Version.parse(first.version)
        ):
            before = page.version
    if option.seen == first.version and option.unseen != before:
        yield f"{option.name}: not on the page of {before}, the catalog has {option.unseen}"


def main() -> int:
    """Print the differences, and return the exit code."""
    told = list(differences(pages()))
    sys.stdout.write("".join(f"{each}\n" for each in told))
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
