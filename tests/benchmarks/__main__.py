"""Measures how fast npu-lsp is, beside other servers: `python -m tests.benchmarks [start editing workspace check tree growth bars window scan]`.

`bars --root DIR` measures all that the project is held to, in one table; `window` what one waits for in a real VS Code
(`NPU_LSP_VSCODE` says where `.ci/install-clients.sh` put it); `scan` how an editor learns of a whole folder, and of a switch to another branch.
`tree --root DIR` and `editing --file FILE` measure on what somebody wrote; `tree --clones DIR` on the clones in that folder of
the public repositories in `repositories.py`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks import command_line as cli
from tests.benchmarks import editing
from tests.benchmarks.bars import bars
from tests.benchmarks.growth import by_files, by_lines
from tests.benchmarks.peers import EMPTY, OURS, WHOLE, Server, installed, ruff
from tests.benchmarks.repositories import checked_out
from tests.benchmarks.scan import scanned
from tests.benchmarks.scripts import Script, conversion_script, real_script, training_script
from tests.benchmarks.stages import stages
from tests.benchmarks.tree import grow
from tests.benchmarks.window import waits

_PARTS = ("start", "editing", "workspace", "check", "tree")
_ASKED = (*_PARTS, "growth", "bars", "window", "scan")
"""The last four take minutes: they are left out where nothing is asked for."""
_SCANNED = 5_020
"""Files of the folder that an editor learns of."""
_CHANGE_BARS = {1000: 0.005, 5000: 0.010, 20000: 0.030, 150: 0.005}
_BARS = {editing.OPEN: 0.060, editing.HOVER: 0.001, editing.COMPLETION: 0.002, editing.MEMORY: 70.0}


def main() -> None:
    """Measure what is asked for and print a table for each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(_ASKED)}; default: all but the last four")
    parser.add_argument("--rounds", type=int, default=5, help="how often a process is started; default: 5")
    parser.add_argument("--files", type=int, default=22_800, help="files in the tree; default: 22800")
    parser.add_argument("--root", type=Path, help="tree: measure on this one, grow none")
    parser.add_argument("--clones", type=Path, help="tree: measure on the public repositories that have a clone here")
    parser.add_argument("--file", type=Path, help="editing: measure on this script")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peers", type=Path, action="append", default=[], help="a folder with peers' programs")
    parser.add_argument("--alone", action="store_true", help="leave the peers out")
    arguments = parser.parse_args()
    parts = arguments.parts or _PARTS
    folders = tuple(path.absolute() for path in arguments.peers)
    peers = [] if arguments.alone else installed(folders)
    with tempfile.TemporaryDirectory(prefix="npu-lsp-benchmark-") as name:
        folder = Path(name)
        if "start" in parts:
            _start(peers, folder, arguments.rounds)
        if "editing" in parts and arguments.file is not None:
            script = real_script(arguments.file)
            _editing(script, 1000, peers, folder)
        elif "editing" in parts:
            for lines in (1000, 5000, 20000):
                _editing(training_script(lines, arguments.seed), lines, peers, folder)
            _editing(conversion_script(150, arguments.seed), 150, peers, folder)
        if "workspace" in parts:
            _workspace(folder / "workspace", arguments.files, arguments.seed)
        if "check" in parts:
            _check(folder, arguments.rounds)
        if "tree" in parts:
            _trees(arguments, folder, folders)
        if "growth" in parts:
            _growth(folder, arguments.seed)
        if "bars" in parts:
            rows = [each.row for each in bars(arguments.root.absolute(), folder, ruff(folders), arguments.rounds)]
            _print("bars", ("what", "measured", "processors", "at most", ""), rows)
        if "window" in parts:
            _window(folder, arguments.rounds, arguments.seed)
        if "scan" in parts:
            _scan(folder, arguments)


def _start(peers: Sequence[Server], folder: Path, rounds: int) -> None:
    times = editing.starts([EMPTY, OURS, *peers], folder, rounds)
    floor = times[EMPTY.name].wall
    rows = [(name, f"{each.wall * 1e3:.0f} ms", f"{each.wall / floor:.2f}") for name, each in times.items()]
    _print("start to initialize", ("server", "median", "ratio to an empty one"), rows)
    _verdict("start", times[OURS.name].wall / floor, 1.15)


def _editing(script: Script, lines: int, peers: Sequence[Server], folder: Path) -> None:
    servers = [EMPTY, OURS, *(peer for peer in peers if script.language in peer.languages)]
    found = [editing.measure(server, script, folder) for server in servers]
    bars = {**_BARS, editing.CHANGE: _CHANGE_BARS[lines]}
    if lines > 1000:
        bars = {editing.CHANGE: bars[editing.CHANGE]}
    _table(f"{script.name}: {lines} lines", found, bars)
    ours = next(m for m in found if m.server == OURS.name).values
    for what, limit in bars.items():
        _verdict(what, ours.get(what, float("inf")), limit)
        others = [m.values[what] for m in found if m.server not in (OURS.name, EMPTY.name) and what in m.values]
        if others and what in ours:
            print(f"    the best peer: {min(others) / ours[what]:.2f} of ours")


def _workspace(tree: Path, files: int, seed: int) -> None:
    """Type while findings of so many files are looked for, and while they aren't."""
    size = grow(tree, files, seed)
    found = [editing.measure(server, training_script(1000, seed), tree) for server in (EMPTY, OURS, WHOLE)]
    _table(f"1000 lines among {files} files, {size / 1e6:.0f} MB", found, {})


def _table(title: str, found: Sequence[editing.Measured], bars: Mapping[str, float]) -> None:
    rows = []
    for what in (
        editing.AT_ONCE,
        editing.OPEN,
        editing.HOVER,
        editing.COMPLETION,
        editing.CHANGE,
        editing.TYPICAL_CHANGE,
        editing.MEMORY,
    ):
        bar = _shown(what, bars[what]) if what in bars else ""
        rows.append((what, bar, *(_shown(what, m.values[what]) if what in m.values else "-" for m in found)))
    _print(title, ("what", "bar", *(m.server for m in found)), rows)


def _shown(what: str, value: float) -> str:
    return f"{value:.0f} MB" if what == editing.MEMORY else f"{value * 1e3:.2f} ms"


def _check(folder: Path, rounds: int) -> None:
    times = cli.single_files(folder, rounds * 2)
    _print(
        "check of one file",
        ("what", "median", "processor"),
        [(name, f"{each.wall * 1e3:.0f} ms", f"{each.work * 1e3:.0f} ms") for name, each in times.items()],
    )
    _verdict(cli.WITH, times[cli.WITH].wall, 0.3)
    _verdict(cli.WITHOUT, times[cli.WITHOUT].wall, 0.08)


def _trees(arguments: argparse.Namespace, folder: Path, folders: tuple[Path, ...]) -> None:
    if arguments.clones is not None:
        for name, tree in checked_out(arguments.clones.absolute(), folder):
            _tree(name, tree, arguments, folder, folders)
    elif arguments.root is not None:
        _tree(str(arguments.root), arguments.root.absolute(), arguments, folder, folders)
    else:
        tree = folder / "tree"
        size = grow(tree, arguments.files, arguments.seed)
        _tree(f"{arguments.files} files, {size / 1e6:.0f} MB", tree, arguments, folder, folders)


def _tree(title: str, tree: Path, arguments: argparse.Namespace, folder: Path, folders: tuple[Path, ...]) -> None:
    _stages(title, tree)
    times = cli.whole_tree(tree, folder / "cache", ruff(folders), max(3, arguments.rounds // 2))
    floor = times.get(cli.RUFF)
    rows = [
        (n, f"{v.wall:.2f} s", f"{v.work:.2f} s", f"{v.wall / floor.wall:.2f}" if floor else "-")
        for n, v in times.items()
    ]
    _print(f"check of a tree: {title}", ("what", "median", "processor", "ratio to ruff"), rows)
    if floor:
        _verdict(cli.COLD, times[cli.COLD].wall / floor.wall, 2)
        _verdict(cli.WARM, times[cli.WARM].wall / floor.wall, 1)


def _stages(title: str, tree: Path) -> None:
    rows = [
        (
            *(kind, row.files, f"{row.size / 1e6:.1f} MB", row.parsed, row.setting, row.found),
            *(f"{seconds:.2f} s" for seconds in (row.filtering, row.parsed, row.judging)),
        )
        for kind, row in stages(tree).items()
    ]
    head = ("kind", "files", "size", "read", "set options", "have findings", "words", "reader", "rules")
    _print(f"how far files get: {title}", head, [[str(cell) for cell in row] for row in rows])


def _growth(folder: Path, seed: int) -> None:
    lines = [(f"{many:,}", f"{work:.2f} s", f"{work / many * 1e6:.1f} µs") for many, work in by_lines(seed=seed)]
    _print("growth of a script, first analysis", ("lines", "processor", "a line"), lines)
    files = [
        (f"{many:,}", f"{work:.2f} s", f"{work / many * 1e3:.2f} ms") for many, work in by_files(folder, seed=seed)
    ]
    _print("growth of a tree, no cache", ("files", "processor", "a file"), files)


def _window(folder: Path, rounds: int, seed: int) -> None:
    found = list(waits(folder, rounds, seed))
    head = ("script", "server", "key to findings", "key to list, in an option", "key to list, in a word")
    rows = [
        (
            f"{each.language}, {each.lines} lines",
            each.server,
            *(f"{each.times[what]:.0f} ms" if what in each.times else "-" for what in ("squiggle", "option", "word")),
        )
        for each in found
    ]
    _print("servers in one window of VS Code", head, rows)


def _scan(folder: Path, arguments: argparse.Namespace) -> None:
    tree = arguments.root.absolute() if arguments.root is not None else folder / "scan"
    title = (
        str(tree)
        if arguments.root is not None
        else f"{_SCANNED:,} files, {grow(tree, _SCANNED, arguments.seed) / 1e6:.0f} MB"
    )
    found = scanned(tree, folder / "cache", arguments.seed)
    rows = [(what, f"{getattr(found, what):.2f} s") for what in found._fields]
    _print(f"a folder in an editor: {title}", ("what", "time"), rows)
    _verdict("the first finding", found.first, 2)
    _verdict("all findings, beside the command", found.whole / found.command, 2)
    _verdict("a switch of 200 files", max(found.switched, found.back), 3)


def _verdict(what: str, value: float, bar: float) -> None:
    print(f"  {'ok  ' if value <= bar else 'OVER'} {what}: {value / bar:.2f} of its bar")


def _print(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(str(row[column])) for row in (head, *rows)) for column in range(len(head))]
    print(f"\n{title}")
    for row in (head, tuple("-" * width for width in widths), *rows):
        print("  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
