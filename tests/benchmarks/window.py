"""Servers side by side in one window of a real VS Code: how long from a key to findings, and to a list."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.peers import OURS
from tests.benchmarks.scripts import Script, conversion_script, training_script
from tests.editors.code_server import neighbours, visit

_SESSION = Path(__file__).with_name("window") / "session.js"


class Wait(NamedTuple):
    """What one server takes for one script: the median in milliseconds, by what is waited for."""

    language: str
    lines: int
    server: str
    times: dict[str, float]


def waits(folder: Path, rounds: int, seed: int) -> Iterator[Wait]:
    """Yield what each server takes for a script of 1,000 lines of Python, and for one of 150 of shell."""
    ours = {"name": OURS.name, "command": OURS.command[0], "args": OURS.command[1:], "languages": OURS.languages}
    asked = {
        "rounds": rounds,
        "servers": [ours, *neighbours()],
        "texts": [_text(training_script(1000, seed)), _text(conversion_script(150, seed))],
    }
    workspace = folder / "window"
    workspace.mkdir(parents=True)
    answers = visit(folder / "editor", workspace, _SESSION, None, {}, more={"SERVERS": json.dumps(asked)})
    for each in answers["found"]:
        for server, times in each["times"].items():
            medians = {what: statistics.median(values) for what, values in times.items() if values}
            yield Wait(each["language"], each["lines"], server, medians)


def _text(script: Script) -> dict[str, Any]:
    places = [{"line": place.line, "column": place.column} for place in (script.option, script.word)]
    return {"language": script.language, "text": script.text, "places": places}
