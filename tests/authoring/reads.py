"""Records which environment variables a tool reads: `python -m tests.authoring.reads SOURCE CHECKOUT --release R`.

CHECKOUT is a Git repository (a bare one will do), read at `--ref`, or a folder with an unpacked package. What is found goes to
`tests/catalog/reads/SOURCE.toml`, each name with the first file that reads it; what is new and gone since the last record is printed.
Which folders are read, and which names concern NPUs, is taken from that record where it isn't said.
`tests/catalog/reads/decided.toml` says of each name that the catalog lacks why it does; a test holds the three together.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.load import load
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml import read
from tests.authoring.read_names import names

FOLDER = Path(__file__).parents[1] / "catalog" / "reads"
DECIDED = FOLDER / "decided.toml"

_SUFFIXES = (".py", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".inc", ".go", ".sh")
_LEFT_OUT = re.compile(
    r"(?:^|/)(?:\.[^/]+|[^/]*tests?|ut|st|testing|unittest|third_party|3rdparty|thirdparty|vendor|examples?|docs?|benchmarks?|"
    r"ci|samples?|test_[^/]*)/|(?:^|/)(?:setup|conftest|test_[^/]*|[^/]*_test)\.(?:py|go|cc|cpp)$"
)
"""What is no part of what people run: tests, code of others, examples."""
_LARGEST = 4_000_000
"""Bytes of a file that is read."""


class Extract(NamedTuple):
    """What one component reads at one release."""

    source: str
    """What the record is called: as in `sources.toml`, where that has it."""
    release: str
    commit: str
    """Empty for a package."""
    names: dict[str, str]
    """The first file of each."""
    below: tuple[str, ...] = ()
    """The folders that were read; none: all."""
    about: str = ""
    """What a name or its path must hold, where a tool serves other hardware, too."""
    component: str = ""
    """Whose releases these are in `versions.toml`; empty where it has none."""
    unread: tuple[str, ...] = ()
    """Releases in `versions.toml` behind `release` that could not be read."""


def extracts(folder: Path = FOLDER) -> list[Extract]:
    """Return what is recorded, by component."""
    found = []
    for path in sorted(folder.glob("*.toml")):
        if path.name == DECIDED.name:
            continue
        told = read(path)
        found.append(
            Extract(
                path.stem,
                told["release"],
                told.get("commit", ""),
                dict(told["names"]),
                below=tuple(told.get("below", ())),
                about=told.get("about", ""),
                component=told.get("component", ""),
                unread=tuple(told.get("unread", ())),
            )
        )
    return found


def decided(path: Path = DECIDED) -> dict[str, tuple[str, str]]:
    """Return the kind and the reason of each name that the catalog leaves out; a name that stands twice is an error."""
    found: dict[str, tuple[str, str]] = {}
    for group in read(path)["left_out"]:
        for name in group["names"]:
            if name in found:
                raise ValueError(f"{name} is decided twice")
            found[name] = (group["kind"], group["reason"])
    return found


def read_again(known: Extract, checkout: Path, release: str, ref: str = "HEAD") -> Extract:
    """Read a checkout at `ref`, or a folder, as it was read before."""
    commit, files = files_of(checkout, ref, known.below)
    concerns = re.compile(known.about)
    found = {name: path for name, path in names(files).items() if concerns.search(name) or concerns.search(path)}
    return known._replace(release=release, commit=commit, names=found)


def files_of(checkout: Path, ref: str, below: Sequence[str]) -> tuple[str, Iterator[tuple[str, str]]]:
    """Return the commit, empty for a folder, and each file that is read with its text."""
    bare = (checkout / "HEAD").is_file() and (checkout / "objects").is_dir()
    if bare or (checkout / ".git").exists():
        commit = _git(checkout, "rev-parse", "--short=9", f"{ref}^{{commit}}").decode().strip()
        return commit, _tree(checkout, ref, below)
    return "", _folder(checkout, below)


def _tree(checkout: Path, ref: str, below: Sequence[str]) -> Iterator[tuple[str, str]]:
    told = _git(checkout, "ls-tree", "-r", "-l", "-z", ref, "--", *below).decode("utf-8", "replace")
    wanted = []
    for line in told.split("\0"):
        facts, _, path = line.partition("\t")
        words = facts.split()
        # A snapshot may lack its largest files.
        if len(words) == 4 and words[3].isdigit() and int(words[3]) <= _LARGEST and _wanted(path, below):
            wanted.append((path, words[2]))
    blobs = "".join(f"{blob}\n" for _, blob in wanted).encode()
    ran = subprocess.run(
        ["git", "-C", str(checkout), "cat-file", "--batch"], input=blobs, capture_output=True, check=True
    )
    at = 0
    for path, _ in wanted:
        end = ran.stdout.index(b"\n", at)
        words = ran.stdout[at:end].decode().split()
        if words[-1] == "missing":
            at = end + 1
            continue
        size = int(words[2])
        yield path, ran.stdout[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + 2 + size


def _folder(folder: Path, below: Sequence[str]) -> Iterator[tuple[str, str]]:
    for top in below or (".",):
        for path in [folder / top] if (folder / top).is_file() else sorted((folder / top).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if _wanted(name, below) and path.is_file() and path.stat().st_size <= _LARGEST:
                yield name, path.read_text("utf-8", "replace")


def _wanted(path: str, below: Sequence[str]) -> bool:
    inner = next((path.removeprefix(each) for each in below if path == each or path.startswith(f"{each}/")), path)
    return path.endswith(_SUFFIXES) and not _LEFT_OUT.search(inner)


def _git(checkout: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, check=True).stdout


def later(component: str, release: str) -> tuple[str, ...]:
    """Return the releases of a component in `versions.toml` behind one."""
    lines = load().plain("versions")[component].values() if component else ()
    every = [each for line in lines for each in line["releases"]]
    return tuple(each for each in every if Version.parse(release) < Version.parse(each))


def written(found: Extract) -> str:
    """Return a record as its file has it."""
    facts = {key: getattr(found, key) for key in ("component", "release", "commit", "below", "about", "unread")}
    head = [f"{key} = {json.dumps(fact)}" for key, fact in facts.items() if fact]
    return "\n".join([*head, "", "[names]", *(f'{name} = "{path}"' for name, path in found.names.items()), ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a record, and print what changed."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.reads", description=__doc__)
    parser.add_argument("source", help="what the record is called: a source of the catalog")
    parser.add_argument("checkout", type=Path, help="a repository, or a folder with an unpacked package")
    parser.add_argument("--release", required=True, help="the release that this is")
    parser.add_argument("--ref", default="HEAD", help="the tag, branch or commit of it")
    parser.add_argument("--component", help="whose releases these are in versions.toml")
    parser.add_argument("--below", nargs="+", help="only these folders")
    parser.add_argument("--about", help="a pattern that a name or its path must match")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the records are")
    chosen = parser.parse_args(arguments)
    before = next((each for each in extracts(chosen.folder) if each.source == chosen.source), None)
    known = before or Extract(chosen.source, chosen.release, "", {})
    told = {key: getattr(chosen, key) for key in ("component", "about") if getattr(chosen, key) is not None}
    if chosen.below is not None:
        told["below"] = tuple(chosen.below)
    found = read_again(known._replace(**told), chosen.checkout, chosen.release, chosen.ref)
    found = found._replace(unread=later(found.component, found.release))
    (chosen.folder / f"{chosen.source}.toml").write_text(written(found), "utf-8")
    for sign, changed in (("new", found.names.keys() - known.names), ("gone", known.names.keys() - found.names)):
        sys.stdout.write("".join(f"{sign} {name}\n" for name in sorted(changed)))
    if found.unread:
        sys.stdout.write(f"not read: {', '.join(found.unread)}\n")
    sys.stdout.write(f"{chosen.source} {found.release}: {len(found.names)} names\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
