"""Tells which sources of the catalog don't have what they are said to have: `python -m tests.authoring.held FOLDER`.

FOLDER holds Git repositories as `OWNER+NAME/repo`, bare ones as well, and packages as `PREFIX-VERSION`. Of each that is there, the file of a
source must exist at its commit or tag, and one file of an option's must hold its name. What is gone is told of by sources that lack it, and is left out; so are
names that a program puts together. The exit code is 1 where a file is missing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.text.toml import read


class Sources:
    """The repositories that are at hand, and what stands in their files."""

    def __init__(self, folder: Path, table: Path = DATA / "sources.toml") -> None:
        self._folder = folder
        self._at: dict[str, tuple[Path, str]] = {}
        for prefix, facts in read(table).items():
            owner, name = facts["repository"].split("/")[-2:]
            path = folder / f"{owner}+{name}" / "repo"
            if path.exists():
                self._at[prefix] = path, facts["commit"]
        self.text = cache(self._text)

    def has(self, source: str) -> bool:
        """Return whether the repository of a source, or the package of its release, is at hand."""
        return source.partition(":")[0] in self._at or self._package(source) is not None

    def _package(self, source: str) -> Path | None:
        prefix, _, rest = source.partition(":")
        path = self._folder / f"{prefix}-{rest.rpartition('@v')[2]}"
        return path if "@v" in rest and path.is_dir() else None

    def _text(self, source: str) -> str | None:
        """Return a file, or the names in a folder; `None`: there is none."""
        prefix, _, rest = source.partition(":")
        place, _, ref = rest.partition("@")
        package = self._package(source)
        if package is not None:
            file = package / place.removeprefix("python/")
            return file.read_text("utf-8", "replace") if file.is_file() else None
        path, commit = self._at[prefix]
        for language in ("zh", "en"):
            name = place.partition("#")[0].replace("{lang}", language)
            ran = subprocess.run(
                ["git", "-C", str(path), "show", f"{ref.partition('#')[0] or commit}:{name}"],
                capture_output=True,
                check=False,
            )
            if ran.returncode == 0:
                return ran.stdout.decode("utf-8", "replace")
        return None


def missing(sources: Sources, options: Iterable[Option]) -> dict[str, set[str]]:
    """Return the sources that lead nowhere, each with the options that name it."""
    found: dict[str, set[str]] = {}
    for option in options:
        for source in _of(option):
            if sources.has(source) and sources.text(source) is None:
                found.setdefault(source, set()).add(f"{option.surface.value} {option.name}")
    return found


def unheld(sources: Sources, options: Iterable[Option]) -> Iterator[Option]:
    """Yield the options whose name no file of their sources holds, where all of these are at hand."""
    for option in options:
        files = [each for each in option.sources if not each.startswith("https:")]
        if files and option.removed is None and all(sources.has(each) for each in files):
            texts = [sources.text(each) or "" for each in files]
            if not any(form in text for form in _forms(option) for text in texts):
                yield option


def _of(option: Option) -> list[str]:
    own = [*option.sources, *(each.source for each in option.relations)]
    own += [each.source for each in (option.removed, option.deprecated) if each is not None]
    return [each for each in dict.fromkeys(own) if not each.startswith("https:")]


def _forms(option: Option) -> set[str]:
    names = {part for name in (option.name, *option.aliases) for part in (name, name.rpartition(".")[2])}
    return {form for name in names for form in (name, name.replace("-", "_"), name.replace("_", "-"))}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is not where it is said to be."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.held", description=__doc__)
    parser.add_argument("folder", type=Path, help="the repositories, as OWNER+NAME/repo")
    sources = Sources(parser.parse_args(arguments).folder)
    catalog = load()
    options = [option for surface in Surface for option in catalog.options(surface)]
    nowhere = missing(sources, options)
    for source, of in sorted(nowhere.items()):
        sys.stdout.write(f"not there: {source}: {', '.join(sorted(of))}\n")
    for option in unheld(sources, options):
        sys.stdout.write(f"not named: {option.surface.value} {option.name}: {', '.join(option.sources)}\n")
    return int(bool(nowhere))


if __name__ == "__main__":
    sys.exit(main())
