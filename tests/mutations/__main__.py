"""Changes the program in many small ways, one at a time, and names those that no test notices.

    python -m tests.mutations                                        # all changes to all that is looked at: about an hour
    python -m tests.mutations --sample 500 --seed 2                  # so many of them, some of each file and of each kind
    python -m tests.mutations npu_lsp/rules/set_twice.py --tests tests/rules/test_examples.py -k NPU207

A change is made in a process that has loaded the program and the tests (`loop.py`), and no file is written. What no test
notices is shown to the checker of types. What is left over is printed, but for what `equivalent.toml` beside this file
says to be no mistake, and why. It ends with 1 where something is left over.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from contextlib import closing
from itertools import chain, zip_longest
from pathlib import Path

import pytest

from npu_lsp.text import toml
from tests.mutations.checker import Types
from tests.mutations.loop import Loop
from tests.mutations.mutants import ROOT, Mutant, mutants

_LINTER = (
    "relations", "companions", "fixing/edits", "fixing/proof", "fixing/rounds", "names/meant", "suppressions/comments",
    "suppressions/reach", "suppressions/removal", "variable_uses",
)  # fmt: skip
_LOOKED_AT = (
    *(f"npu_lsp/linter/{name}.py" for name in _LINTER),
    "npu_lsp/rules/fixes/*.py",
    "npu_lsp/rules/*.py",
)
_SLOW = ("test_restating.py", "test_fixing_growth.py", "test_assumed.py")
"""Tests that run over everything, or count what everything costs."""
_TESTS = (
    "tests/rules",
    *(
        f"tests/linter/{path.name}"
        for path in sorted((ROOT / "tests/linter").glob("test_*.py"))
        if path.name not in _SLOW
    ),
    "tests/catalog/test_relation_examples.py",
    "tests/catalog/test_toolkit.py",
)
_CODE = re.compile(r'^    code = "(NPU\d+)"', re.MULTILINE)
_SAID = ("noticed", "refused by the types", "no mistake", "LEFT OVER")


def main() -> int:
    """Run what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", default=_LOOKED_AT, help="files, or globs of files, below the repository")
    parser.add_argument("--sample", type=int, help="how many changes are drawn, of each file and kind in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="+", default=_TESTS, help="files with the tests that are closest")
    parser.add_argument("-k", default="", help="the tests among them that are meant, as pytest has it")
    arguments = parser.parse_args()
    every = [mutant for pattern in arguments.paths for mutant in mutants(pattern)]
    drawn = every if arguments.sample is None else _drawn(every, arguments.sample, arguments.seed)
    known = equivalent()
    said: dict[Mutant, str] = {mutant: "no mistake" for mutant in drawn if mutant.name in known}
    types = Types()

    def tried(mutant: Mutant, test: str) -> None:
        said[mutant] = "noticed" if test else "refused by the types" if types.refuse(mutant) else "LEFT OVER"
        print(f"{len(said)}/{len(drawn)} {said[mutant]}: {mutant.name}", flush=True)

    quiet = ["-q", "-s", "-p", "no:cacheprovider", "-o", "tmp_path_retention_policy=none", "-k", arguments.k]
    with closing(types):
        pytest.main([*quiet, *arguments.tests], [Loop([m for m in drawn if m not in said], _codes(drawn), tried)])
    _report(every, said)
    return 0 if len(said) == len(drawn) and "LEFT OVER" not in said.values() else 1


def equivalent() -> frozenset[str]:
    """Return the names of the changes that are no mistakes."""
    listed = toml.parse(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8"))
    return frozenset(each["change"] for each in listed.get("equivalent", ()))


def _drawn(every: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Draw from each file and each kind of change in turn."""
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in random.Random(seed).sample(every, len(every)):
        groups.setdefault((mutant.path, mutant.kind), []).append(mutant)
    drawn = [mutant for mutant in chain(*zip_longest(*groups.values())) if mutant is not None]
    return sorted(drawn[:count], key=every.index)


def _codes(drawn: list[Mutant]) -> dict[str, str]:
    """Return the codes of rules by the paths of their files."""
    found = {
        path: _CODE.search((ROOT / path).read_text(encoding="utf-8")) for path in {mutant.path for mutant in drawn}
    }
    return {path: match[1] for path, match in found.items() if match is not None}


def _report(every: list[Mutant], said: dict[Mutant, str]) -> None:
    for title, counted in (("room", _room), ("kind", _kind)):
        print(f"\n{title:24}{'there are':>12}" + "".join(f"{each:>22}" for each in _SAID))
        there = Counter(map(counted, every))
        found = Counter((counted(mutant), each) for mutant, each in said.items())
        for name, count in sorted(there.items()):
            print(f"{name:24}{count:12}" + "".join(f"{found[name, each]:22}" for each in _SAID))
    left = [mutant for mutant, each in said.items() if each == "LEFT OVER"]
    print(f"\n{len(said)} of {len(every)} changes, {len(left)} left over")
    for mutant in left:
        print(f"  {mutant.name}")


def _room(mutant: Mutant) -> str:
    return mutant.path.rpartition("/")[0]


def _kind(mutant: Mutant) -> str:
    return mutant.kind


if __name__ == "__main__":
    sys.exit(main())
