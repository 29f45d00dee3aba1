"""Changes the program in many small ways, one at a time, and names those that no test notices.

    python -m tests.mutations                        # a sample of all that is looked at
    python -m tests.mutations npu_lsp/rules/set_twice.py --all
    python -m tests.mutations --sample 300 --seed 2

Each change is made in a copy of the tree, and the tests that concern it are run there. What is left over is printed, but
for what `equivalent.toml` beside this file says to be no mistake, and why. It ends with 1 where something is left over.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from npu_lsp.text import toml
from tests.mutations.mutants import Mutant, of_python, of_relations

ROOT = Path(__file__).parents[2]
_LINTER = (
    "fixing",
    "fix_proof",
    "fix_edits",
    "suppressions",
    "suppression_removal",
    "reach",
    "relations",
    "companions",
    "meant",
)
_LOOKED_AT = (
    "npu_lsp/rules/*.py",
    "npu_lsp/rules/fixes/*.py",
    *(f"npu_lsp/linter/{name}.py" for name in _LINTER),
    "npu_lsp/catalog/data/**/*.toml",
)
_CODE = re.compile(r'^    code = "(NPU\d+)"', re.MULTILINE)
_NEAR = {
    "npu_lsp/linter/fix": ["tests/linter/test_fixing.py"],
    "npu_lsp/linter/reach": ["tests/linter/test_reach.py"],
    "npu_lsp/linter/suppressions": ["tests/linter/test_reach.py"],
    "npu_lsp/linter/suppression_removal": ["tests/linter/test_suppression_removal.py"],
    "npu_lsp/linter/relations": ["tests/linter/test_relations.py", "tests/rules/test_examples.py"],
    "npu_lsp/rules/fixes/": [
        "tests/rules/test_moves.py",
        "tests/catalog/test_toolkit.py",
        "tests/rules/test_examples.py",
    ],
}
"""By how a path starts, the tests that say most of what is in it; of a rule they are its examples."""
_WIDE = (
    "tests/rules",
    "tests/linter",
    "tests/catalog/test_toolkit.py",
    "tests/lsp/test_diagnostics.py",
    "tests/checking/test_suppressions.py",
)
_NOTHING = 5 << 8
"""What the runner says of arguments for which there is no test."""


def main() -> int:
    """Run what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", default=_LOOKED_AT, help="files, or globs of files, below the repository")
    parser.add_argument("--sample", type=int, default=150, help="how many changes are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="every change, drawing none")
    parser.add_argument("--narrow", action="store_true", help="run only the tests that are closest to a change")
    arguments = parser.parse_args()
    every = sorted(mutant for pattern in arguments.paths for mutant in mutants(pattern))
    drawn = every if arguments.all else _drawn(every, arguments.sample, arguments.seed)
    known = equivalent()
    for name in sorted(known - {mutant.name for pattern in _LOOKED_AT for mutant in mutants(pattern)}):
        print(f"equivalent.toml speaks of a change that there is no more: {name}", file=sys.stderr)
    left: list[Mutant] = []
    with tempfile.TemporaryDirectory(prefix="npu-lsp-mutations-") as folder:
        tree = Path(folder)
        _copy(tree)
        runner = _Runner(tree)
        if runner.fails(["tests/rules/test_examples.py"]):
            print("the tests fail as it is", file=sys.stderr)
            return 2
        for number, mutant in enumerate(drawn, 1):
            if mutant.name in known:
                said = "known"
            elif _is_noticed(mutant, tree, runner, narrow=arguments.narrow):
                said = "noticed"
            else:
                said = "LEFT OVER"
                left.append(mutant)
            print(f"{number}/{len(drawn)} {said}: {mutant.name}", flush=True)
        runner.stop()
    print(f"{len(drawn)} of {len(every)} changes, {len(left)} left over")
    for mutant in left:
        print(f"  {mutant.name}")
    return 1 if left else 0


def mutants(pattern: str) -> Iterator[Mutant]:
    for path in sorted(ROOT.glob(pattern)):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        alike: Counter[str] = Counter()
        for mutant in of_python(name, text) if path.suffix == ".py" else of_relations(name, text):
            alike[mutant.name] += 1
            count = alike[mutant.name]
            yield mutant if count == 1 else mutant._replace(where=f"{mutant.where} ({count})")


def _drawn(every: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Draw from the program and from its data in turn: there is far more data."""
    rng = random.Random(seed)
    code = [mutant for mutant in every if mutant.path.endswith(".py")]
    data = [mutant for mutant in every if not mutant.path.endswith(".py")]
    of_data = min(len(data), count // 10) if code else min(len(data), count)
    return rng.sample(code, min(len(code), count - of_data)) + rng.sample(data, of_data)


def equivalent() -> frozenset[str]:
    """Return the names of the changes that are no mistakes."""
    listed = toml.parse(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8"))
    return frozenset(each["change"] for each in listed.get("equivalent", ()))


def _copy(tree: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if not (ROOT / name).is_file():
            continue
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)


def _is_noticed(mutant: Mutant, tree: Path, runner: _Runner, *, narrow: bool) -> bool:
    path = tree / mutant.path
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: mutant.start] + mutant.new + text[mutant.end :], encoding="utf-8")
    try:
        if path.suffix == ".toml":
            runner.stop()
        return runner.fails(_closest(mutant, text)) or (not narrow and runner.fails(_there(tree)))
    finally:
        path.write_text(text, encoding="utf-8")
        if path.suffix == ".toml":
            runner.stop()


def _closest(mutant: Mutant, text: str) -> list[str]:
    """Return the arguments for the tests that say most about a change in the shortest time."""
    code = _CODE.search(text)
    if code is not None:
        return ["tests/rules/test_examples.py", "-k", code[1]]
    near = (tests for start, tests in _NEAR.items() if mutant.path.startswith(start))
    return next(near, ["tests/rules/test_examples.py"])


def _there(tree: Path) -> list[str]:
    return [name for name in _WIDE if (tree / name).exists()]


class _Runner:
    """The process that runs tests in the copy; another one for each change of data, which it loads before it is asked."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._process: subprocess.Popen[str] | None = None

    def fails(self, tests: list[str]) -> bool:
        if self._process is None:
            environment = {**os.environ, "PYTHONPATH": str(self._tree), "PYTHONDONTWRITEBYTECODE": "1"}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.mutations.runner"], cwd=self._tree, env=environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(tests) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the process that runs the tests has ended")
        return int(answer) not in (0, _NOTHING)

    def stop(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None


if __name__ == "__main__":
    sys.exit(main())
