"""Two editors on one large folder of somebody's files, under edits: `python -m tests.robustness.workspace FOLDER ... --files 30000`.

Each looks at the whole workspace, the one asks for what is found, the other is told, while both edit what they have open and files
change, come and go on the disk. At the end both have what a fresh server finds. The files themselves stay as they are.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.client import resident
from tests.lsp.wire import SERVE, Wire
from tests.robustness.texts import edit

_LARGEST = 200_000
_SUFFIXES = frozenset({".py", ".sh", ".md", ".yaml", ".yml", ".json", ".txt", ".toml", ".rst", ".env", ".ipynb"})
_SLIP = "export HCCL_BUFFSIZ=1\n"
_CREATED, _CHANGED, _DELETED = 1, 2, 3
_HOURS = 7_200.0
_TEXTS: dict[str, Any] = {"publishDiagnostics": {"versionSupport": True}}

Items = list[dict[str, Any]]


class Editor:
    """A client with its server, and the files that it shows findings of."""

    def __init__(self, root: Path, *, pulls: bool) -> None:
        self.wire = Wire(SERVE)
        self.pulls = pulls
        self.latencies: list[float] = []
        texts = {**_TEXTS, "diagnostic": {}} if pulls else _TEXTS
        folders = [{"uri": root.as_uri(), "name": root.name}]
        options = {"diagnosticMode": "workspace", "select": ["ALL"]}
        self.wire.initialize({"textDocument": texts}, workspaceFolders=folders, initializationOptions=options)
        self.pulled = self._ask()
        self._open: dict[str, tuple[int, str]] = {}

    def _ask(self) -> int:
        return self.wire.begin("workspace/diagnostic", {"previousResultIds": []})

    def type_in(self, path: Path, rng: random.Random) -> None:
        """Open a file, or go on with it, make an edit, and wait for what is said of it; close it now and then."""
        uri = path.as_uri()
        if uri not in self._open:
            text = path.read_bytes().decode()
            self._open[uri] = (1, text)
            self.wire.open(uri, text, "python" if path.suffix == ".py" else "shellscript")
        version, text = self._open[uri]
        start, end, new = edit(rng, text)
        text = (text[:start] + new + text[end:]).encode("utf-8", "replace").decode()
        version += 1
        self._open[uri] = (version, text)
        begun = time.monotonic()
        self.wire.change(uri, version, {"text": text})
        self.wire.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
        self.latencies.append(time.monotonic() - begun)
        if rng.random() < 0.1:
            self.close(uri)

    def close(self, uri: str) -> None:
        """Close a document; what was typed is lost."""
        del self._open[uri]
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def note(self, path: Path, kind: int) -> None:
        """Tell the server what became of a file on the disk."""
        self.wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})

    def working(self) -> bool:
        """Return whether the first look at the folder hasn't come to its end."""
        return not any(m.get("id") == self.pulled and "method" not in m for m in self.wire.seen)

    def shown(self) -> dict[str, Items]:
        """Return what is shown of the folder once all is closed and nothing is left to do, by URI."""
        for uri in tuple(self._open):
            self.close(uri)
        # What is made known within half a second is one change, and then looked at.
        time.sleep(2)
        answer = self.wire.answer(self._ask(), _HOURS)
        pulled = {each["uri"]: each["items"] for each in answer["result"]["items"] if each["items"]}
        if self.pulls:
            return pulled
        told: dict[str, Items] = {}
        for message in self.wire.messages("textDocument/publishDiagnostics"):
            told[message["params"]["uri"]] = message["params"]["diagnostics"]
        told = {uri: items for uri, items in told.items() if items}
        assert told == pulled, sorted(told.keys() ^ pulled.keys())[:5]
        return told


def _copied(folders: list[Path], root: Path, count: int) -> int:
    """Copy so many files to `root` as they lie, and return how many there were."""
    done = 0
    for path in _files(folders):
        above = next(folder for folder in folders if path.is_relative_to(folder))
        target = root / above.name / path.relative_to(above)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        done += 1
        if done == count:
            break
    return done


def _files(folders: list[Path]) -> Iterator[Path]:
    every = [path for folder in folders for path in folder.rglob("*") if ".git" not in path.parts]
    random.Random("files").shuffle(every)
    for path in every:
        if (
            path.suffix.lower() in _SUFFIXES
            and not path.is_symlink()
            and path.is_file()
            and path.stat().st_size < _LARGEST
        ):
            yield path


def _disturb(root: Path, rng: random.Random, files: list[Path], editors: list[Editor]) -> None:
    """Change, create or delete a file on the disk, and say so to all."""
    what = rng.choice((_CREATED, _CHANGED, _CHANGED, _DELETED))
    if what == _CREATED:
        path = root / f"new{rng.randrange(10**9)}" / "run.sh"
        path.parent.mkdir()
        path.write_text(_SLIP)
    else:
        path = files.pop(rng.randrange(len(files)))
        if what == _CHANGED:
            with path.open("a") as file:
                file.write("\n" + _SLIP)
        else:
            path.unlink()
    for editor in editors:
        editor.note(path, what)


class Outcome(NamedTuple):
    """What came of it."""

    files: int
    findings: dict[str, Items]
    """What a fresh server finds, by URI."""
    differing: list[str]
    """Files of which an editor shows something else."""
    codes: list[int]
    edits: int
    meanwhile: int
    """Edits that were made while an editor was looking at the folder for the first time."""
    disturbances: int
    seconds: float
    """How long both looked at the folder for the first time."""
    latencies: list[float]
    memory: list[float]


def run(folders: list[Path], count: int, seed: int, rounds: int = 0) -> Outcome:
    """Have two editors look at a copy of so many files and edit some meanwhile, or for so many rounds."""
    rng = random.Random(f"workspace {seed}")
    with tempfile.TemporaryDirectory() as space:
        root = Path(space, "project")
        count = _copied(folders, root, count)
        scripts = sorted(path for path in root.rglob("*") if path.suffix in (".sh", ".py") and path.is_file())
        rng.shuffle(scripts)
        some = min(40, len(scripts) // 2)
        typed, touched = scripts[:some], scripts[some:2_000]
        begun = time.monotonic()
        editors = [Editor(root, pulls=True), Editor(root, pulls=False)]
        edits = meanwhile = disturbances = 0
        while edits < 2 * rounds if rounds else any(editor.working() for editor in editors):
            for number, editor in enumerate(editors):
                looking = any(each.working() for each in editors)
                try:
                    editor.type_in(rng.choice(typed[number::2]), rng)
                except UnicodeDecodeError:
                    continue
                edits += 1
                meanwhile += looking
            if rng.random() < 0.05 and len(touched) > 1:
                _disturb(root, rng, touched, editors)
                disturbances += 1
            # Nobody types for ever: people look at what they have typed.
            time.sleep(rng.choice((0.05, 0.1, 0.3)))
        for editor in editors:
            if editor.working():
                editor.wire.answer(editor.pulled, _HOURS)
        scanned = time.monotonic() - begun
        shown = [editor.shown() for editor in editors]
        memory = [resident(editor.wire.process.pid) for editor in editors]
        fresh = Editor(root, pulls=True)
        expected = fresh.shown()
        codes = [editor.wire.leave() for editor in (*editors, fresh)]
    latencies = sorted(each for editor in editors for each in editor.latencies)
    differing = [uri for one in shown for uri in expected.keys() | one.keys() if one.get(uri) != expected.get(uri)]
    return Outcome(count, expected, differing, codes, edits, meanwhile, disturbances, scanned, latencies, memory)


def main() -> None:
    """Do it, print what came of it, and exit with 1 where an editor shows something else than a fresh server finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    came = run(arguments.folders, arguments.files, arguments.seed)
    slow, found = came.latencies, sum(map(len, came.findings.values()))
    print(
        *came.differing[:20],
        f"{came.files} files, {len(came.findings)} with {found} findings, looked at in {came.seconds:.0f} s under "
        f"{came.edits} edits and {came.disturbances} changes on the disk",
        f"answers after {statistics.median(slow) * 1e3:.0f} ms (median), {slow[-len(slow) // 100] * 1e3:.0f} ms "
        f"(99 of 100), {slow[-1] * 1e3:.0f} ms at most; " + ", ".join(f"{each:.0f} MB" for each in came.memory),
        f"{len(came.differing)} files differ from a fresh server's, exit codes {came.codes}",
        sep="\n",
    )
    # Where there was nothing to find, nothing was compared.
    raise SystemExit(1 if came.differing or any(came.codes) or not came.findings else 0)


if __name__ == "__main__":
    main()
