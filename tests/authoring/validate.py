"""Tells what is wrong with catalog files: `python -m tests.authoring.validate [FILES...]`.

Without files it checks the whole catalog, and the relations between its files too. `--against
FOLDER` compares the docs with the pages that they cite, where these are at hand: text that stands
in both is copied. Prints a line per problem; the exit code is 1 when there are any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from npu_lsp.catalog.compile import FileOption, entries
from npu_lsp.catalog.files import DATA, option_files
from npu_lsp.text.toml import TomlError, line_of, parse, read
from npu_lsp.text.toml_shape import Shape, ShapeProblem
from tests.authoring import phrases
from tests.authoring.consistency import catalog_problems, option_problems
from tests.authoring.form import STRICT


def known_ids(data: Path = DATA) -> dict[str, frozenset[str]]:
    """Return the ids of products, versions and sources that files may refer to."""
    found: dict[str, frozenset[str]] = {}
    for name in ("products", "sources"):
        path = data / f"{name}.toml"
        found[name] = frozenset(read(path)) if path.exists() else frozenset()
    found["versions"] = frozenset(
        f"{component} {version}"
        for component, lines in read(data / "versions.toml").items()
        for line, facts in lines.items()
        for version in (line, *facts["releases"])
    )
    return found


def form_of(data: Mapping[str, Any]) -> Shape:
    """Return the form that a file with this content must have."""
    return STRICT.rules if "rules" in data else STRICT.many if "options" in data else STRICT.option


def file_problems(path: Path, data: Mapping[str, Any], known: Mapping[str, frozenset[str]]) -> list[ShapeProblem]:
    """Return what is wrong with one file, without regard to the others."""
    told = list(form_of(data).problems(data, ""))
    if told:
        return told
    told = list(phrases.problems(data))
    for entry in entries(path, data, DATA):
        prefix = f"options.{entry.name}." if "options" in data else ""
        told += [
            ShapeProblem(prefix + each.at, each.message, each.suggestion)
            for each in option_problems(entry.name, entry.data, known)
        ]
    return told


def problems(paths: Sequence[Path], *, whole: bool) -> Iterator[tuple[Path, int | None, ShapeProblem]]:
    """Yield (path, 1-based line if known, problem) for `paths`; `whole`: they are the catalog."""
    known = known_ids()
    good: dict[str, FileOption] = {}
    homes: dict[str, Path] = {}
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
            data = parse(text)
        except (OSError, UnicodeDecodeError) as error:
            yield path, None, ShapeProblem("", str(error))
            continue
        except TomlError as error:
            yield path, error.line, ShapeProblem("", f"no TOML: {error}", _hint(str(error)))
            continue
        told = file_problems(path.resolve(), data, known)
        for each in told:
            yield path, line_of(text, each.at) if each.at else None, each
        if list(form_of(data).problems(data, "")):
            continue
        for entry in entries(path.resolve(), data, DATA):
            if entry.topic in homes:
                yield path, None, ShapeProblem("", f"{entry.topic!r} stands in {homes[entry.topic].name} already")
            homes[entry.topic] = path
            good[entry.topic] = entry
    if whole:
        for topic, each in catalog_problems(good):
            yield homes[topic], None, each


def _copied(paths: Sequence[Path], folder: Path) -> Iterator[tuple[Path, int | None, ShapeProblem]]:
    from tests.authoring import copies

    sources = read(DATA / "sources.toml")
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
            data = parse(text)
        except (OSError, UnicodeDecodeError, TomlError):
            continue
        for problem in copies.problems(data, sources, folder):
            yield path, line_of(text, problem.at), problem


def _hint(error: str) -> str | None:
    if "inline" in error.lower() or "Unclosed" in error or "key part" in error:
        return "an inline table stands on one line; write a [table] instead"
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the problems of the files named by `arguments` and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.validate", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="compare with checkouts of the sources there")
    chosen = parser.parse_args(arguments)
    count = 0
    paths = chosen.files or option_files()
    told: Iterable[tuple[Path, int | None, ShapeProblem]] = problems(paths, whole=not chosen.files)
    if chosen.against is not None:
        told = chain(told, _copied(paths, chosen.against))
    for path, line, problem in told:
        count += 1
        sys.stdout.write(f"{path}{f':{line}' if line else ''}: {problem}\n")
    if count:
        sys.stderr.write(f"{count} problems in {len(paths)} files\n")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
