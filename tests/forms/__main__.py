"""Compares what npu-lsp sees with a search by plain patterns: `python -m tests.forms [--missed FORM] FOLDER...`.

Each folder is a repository. `--missed` prints the lines of the forms whose name fits that pattern which npu-lsp doesn't see.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.forms.search import search

_COMMAND = ("-m", "npu_lsp", "settings", "--isolated", "--format", "json", "--no-respect-gitignore")


def main() -> None:
    """Print a table, and the lines that aren't seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--missed", metavar="FORM", help="print the lines of these forms that aren't seen; a pattern")
    arguments = parser.parse_args()
    names = {surface: frozenset(map(_last, load().names(surface))) for surface in Surface}
    found: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for folder in (path.resolve() for path in arguments.folders):
        seen = _seen(folder)
        for hit in search(folder, names):
            found[hit.form] += 1
            if (hit.path, hit.line, hit.name) in seen:
                known[hit.form] += 1
            elif arguments.missed and re.fullmatch(arguments.missed, hit.form):
                place = f"{folder.name}/{hit.path.relative_to(folder)}:{hit.line}"
                print(f"{place}: [{hit.form}] {hit.name}: {hit.text[:160]}", flush=True)
    _table(found, known)


def _seen(folder: Path) -> set[tuple[Path, int, str]]:
    """Return what npu-lsp sees below a folder: file, line from 1, last part of the option's name."""
    told = subprocess.run(
        [sys.executable, *_COMMAND, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    settings = json.loads(told.stdout)["settings"] if told.stdout.strip() else ()
    return {(Path(each["path"]), each["line"], _last(each["option"])) for each in settings}


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _table(found: Counter[str], known: Counter[str]) -> None:
    """Print how much of each form is seen, the forms with most that isn't first."""
    for form in sorted(found, key=lambda form: (known[form] - found[form], form)):
        print(f"{form:36} {known[form]:6} of {found[form]:6} {known[form] / found[form]:6.1%}")
    total = sum(found.values())
    print(f"{'all':36} {sum(known.values()):6} of {total:6} {sum(known.values()) / (total or 1):6.1%}")


if __name__ == "__main__":
    main()
