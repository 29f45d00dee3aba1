"""How an editor learns of a whole folder: the first finding, all of them beside the command's time, and a switch to another branch."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks import command_line as cli
from tests.benchmarks.peers import OURS
from tests.lsp.wire import Wire

_LONGEST = 300.0
"""Seconds that anything may take."""
_REST = 2.0
_SWITCHED = 200
_SLIP = {".sh": b"\nexport HCCL_BUFFSIZ=200\n", ".py": b'\nimport os\nos.environ["HCCL_BUFFSIZ"] = "200"\n'}
"""What the other branch has besides."""


class Scan(NamedTuple):
    """Seconds, from the start of the server or from the switch on."""

    command: float
    """The command on the same folder, without a cache."""
    first: float
    whole: float
    switched: float
    """Until the last of 200 changed files has its finding."""
    back: float


def scanned(tree: Path, folder: Path, seed: int = 1) -> Scan:
    """Measure on the files of `tree`, which are changed and put back; `folder` is for caches."""
    command = cli.cold(tree).wall
    with _session(tree, folder) as (wire, begun):
        first = whole = 0.0
        while not whole:
            message = wire.until(lambda each: _is_finding(each) or _is_end(each), _LONGEST)
            whole = time.perf_counter() - begun if _is_end(message) else 0.0
            first = first or time.perf_counter() - begun
        time.sleep(_REST)
        every = sorted(path for path in tree.rglob("*") if path.suffix in _SLIP)
        some = {path: path.read_bytes() for path in random.Random(seed).sample(every, _SWITCHED)}
        switched = _changed(wire, {path: data + _SLIP[path.suffix] for path, data in some.items()}, slip=True)
        time.sleep(_REST)
        back = _changed(wire, some, slip=False)
    return Scan(command, first, whole, switched, back)


@contextmanager
def _session(tree: Path, folder: Path) -> Iterator[tuple[Wire, float]]:
    begun = time.perf_counter()
    with Wire(OURS.command, tree, XDG_CACHE_HOME=os.fspath(folder), HOME=os.fspath(folder)) as wire:
        can = {
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
            "window": {"workDoneProgress": True},
        }
        folders = [{"uri": tree.as_uri(), "name": tree.name}]
        wire.initialize(can, workspaceFolders=folders, initializationOptions={"diagnosticMode": "workspace"})
        yield wire, begun


def _changed(wire: Wire, files: dict[Path, bytes], *, slip: bool) -> float:
    """Write files, tell the server, and return how long it takes until each has its finding, or has it no more."""
    begun = time.perf_counter()
    for path, data in files.items():
        path.write_bytes(data)
    waiting = {path.as_uri() for path in files}
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2} for uri in waiting]})
    while waiting:
        told = wire.until(_is_published, _LONGEST)["params"]
        if ('"HCCL_BUFFSIZ"' in json.dumps(told["diagnostics"]).replace("\\", "")) is slip:
            waiting.discard(told["uri"])
    return time.perf_counter() - begun


def _is_published(message: dict[str, Any]) -> bool:
    return message.get("method") == "textDocument/publishDiagnostics"


def _is_finding(message: dict[str, Any]) -> bool:
    return _is_published(message) and bool(message["params"]["diagnostics"])


def _is_end(message: dict[str, Any]) -> bool:
    told = message["params"] if message.get("method") == "$/progress" else {}
    return "scan" in str(told.get("token")) and told["value"].get("kind") == "end"
