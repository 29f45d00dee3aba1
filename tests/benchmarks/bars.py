"""The bars that the house is held to, each measured once more: `python -m tests.benchmarks bars --root TREE`, on a quiet machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import command_line as cli
from tests.benchmarks import editing
from tests.benchmarks.peers import EMPTY, OURS
from tests.benchmarks.scripts import training_script

_PACKAGE = Path(__file__).parents[2] / "npu_lsp"


class Bar(NamedTuple):
    """One of them: what it is about, what was measured, and what it should be at most."""

    what: str
    value: float
    most: float
    work: float | None = None
    """The same of the processors alone, which counts where other programs run beside it."""

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        """What a table shows of it."""
        work = "" if self.work is None else f"{self.work:.3f}"
        busy = self.work is not None and self.work <= self.most
        verdict = "met" if self.value <= self.most else "met by the processors" if busy else "OVER"
        return self.what, f"{self.value:.3f}", work, f"{self.most:g}", verdict


def bars(root: Path, folder: Path, ruff: str | None, rounds: int) -> Iterator[Bar]:
    """Yield the bars; those beside a program that this machine doesn't have are left out. Seconds are those of the wall, ratios of
    trees those of processors."""
    yield Bar("lines of npu_lsp", sum(len(path.read_bytes().splitlines()) for path in _PACKAGE.rglob("*.py")), 60_000)
    starts = editing.starts([EMPTY, OURS], folder, rounds * 2)
    ours, empty = starts[OURS.name], starts[EMPTY.name]
    yield Bar("start, of an empty server's", ours.wall / empty.wall, 1.1, ours.work / empty.work)
    short, long = (editing.measure(OURS, training_script(lines), folder).values for lines in (1000, 20_000))
    for name, values, what, most in (
        ("change at 1,000 lines", short, editing.CHANGE, 10),
        ("change at 20,000 lines", long, editing.CHANGE, 60),
        ("hover", short, editing.HOVER, 1),
        ("completion", short, editing.COMPLETION, 1),
    ):
        yield Bar(f"{name}, p95, ms", values[what] * 1e3, most, values[what + editing.WORK] * 1e3)
    file = cli.single_files(folder, rounds * 2)[cli.WITH]
    yield Bar("check of a file, s", file.wall, 0.3, file.work)
    whole = cli.whole_tree(root, folder / "cache", None, rounds)
    yield Bar("warm, of cold", whole[cli.WARM].work / whole[cli.COLD].work, 0.35)
    if ruff is None:
        return
    python = _copied(root, folder / "python", (".py",))
    alone = cli.whole_tree(python, folder / "cache-of-python", ruff, rounds)
    yield Bar("cold on .py, of ruff's", alone[cli.COLD].work / alone[cli.RUFF].work, 4)
    checker = shutil.which("shellcheck")
    if checker is None:
        return
    both = cli.cold(_copied(root, folder / "both", (".py", ".sh")))
    shell = [str(path) for path in sorted((folder / "both").rglob("*.sh"))]
    # Without a report to write (`--format=quiet`) it stops at the first thing that it finds.
    theirs = alone[cli.RUFF].work + (cli.spent((checker, "--format=gcc", *shell), folder).work if shell else 0)
    yield Bar("cold, of ruff's and shellcheck's together", both.work / theirs, 0.125)


def _copied(root: Path, to: Path, suffixes: Sequence[str]) -> Path:
    """Return a copy of a tree with nothing but files of some kinds."""
    for path in root.rglob("*"):
        if path.suffix in suffixes and path.is_file() and ".git" not in path.parts:
            place = to / path.relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    return to
