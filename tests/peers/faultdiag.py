"""Compares `explain` with Huawei's own log diagnosis (Ascend/mind-cluster, component/ascend-faultdiag). CI doesn't run this.

`python -m tests.peers.faultdiag cases FOLDER`: what `explain` says of the logs of its tests (`test`), against the table in `faultdiag.toml`.
`… knowledge FILE`: how many of the software faults of its knowledge base (`kg-config.json`) `explain` knows by the phrases that tell them.
`… run SOURCE PYTHON LOG …`: the tool itself (`single-diag` of the package below `SOURCE`, beside a `Version.info` of two lines, with a Python
that has pandas, scikit-learn and ply) and `explain` on the same logs and folders of logs: answers, and seconds.

Each difference is a line; the exit code is 1 where there are any.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.catalog.load import load
from npu_lsp.checking.diagnosis import diagnosed
from npu_lsp.checking.logs.reader import Log, LogReader
from npu_lsp.checking.logs.sources import below, opened
from npu_lsp.text.toml import read

TABLE: Mapping[str, Any] = read(Path(__file__).with_suffix(".toml"))["cases"]
_OF_SETTING = re.compile(
    r"(?i)config|parameter|environment variable|setting|export |set_env|--[a-z]|[A-Z]{3,}_[A-Z_]+|\b(?:version|install|path|port|mount|permission|ulimit|increase|decrease|reduce)"
)
"""What the advice of a fault says whose cure is a setting, or what is installed."""
_SHOWN = 3
_PEER = "from ascend_fd.cli import main; main()"


def log_of(folder: Path) -> Log:
    reader = LogReader(load())
    for path in below(str(folder)):
        with opened(path) as stream:
            reader.read(stream, os.path.relpath(path, folder))
    return reader.log()


def lacking(case: Mapping[str, Any], log: Log) -> Iterator[str]:
    """Yield the codes and parts of names of a row that a log's diagnosis doesn't tell."""
    told = [each.code.code for each in diagnosed(log, load(), None).errors]
    names = [name for run in log.runs if run.waited is not None for name in run.waited.names]
    yield from (code for code in case.get("codes", ()) if code not in told)
    yield from (part for part in case.get("names", ()) if not any(part in each for each in names))


def cases(folder: Path) -> int:
    """Print what is lacking of the table; return how many cases lack something."""
    rows = {name: case for name, case in TABLE.items() if "why" not in case}
    wrong = 0
    for name, case in rows.items():
        place = folder / case.get("logs", name)
        missed = list(lacking(case, log_of(place))) if place.is_dir() else ["its folder"]
        wrong += bool(missed)
        if missed:
            sys.stdout.write(f"{name}: not there: {'; '.join(missed)}\n")
    sys.stdout.write(f"{len(rows)} cases, {wrong} with another answer\n")
    return wrong


def knowledge(file: Path) -> int:
    """Print the software faults that `explain` doesn't know, and the shares that it knows; return how many those are."""
    faults = json.loads(file.read_text("utf-8"))["knowledge-repository"]
    counts = {"software": [0, 0], "software, cured by a setting": [0, 0]}
    for name, fault in faults.items():
        about = fault["attribute"]
        lines = list(_lines_of(fault["regex"]))
        if "Software" not in about["class"] or not lines:
            continue
        known = any(map(_knows, lines))
        advice = about["suggestion_en"]
        by_setting = _OF_SETTING.search(" ".join(advice) if isinstance(advice, list) else advice) is not None
        for kind in counts if by_setting else ("software",):
            counts[kind][0] += known
            counts[kind][1] += 1
        if not known:
            sys.stdout.write(f"{name}{' (setting)' if by_setting else ''}: {lines[0][:160]}\n")
    for kind, (told, total) in counts.items():
        sys.stdout.write(f"{kind}: {told} of {total} = {100 * told / max(total, 1):.1f} %\n")
    return sum(total - told for told, total in counts.values())


def _lines_of(rule: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each way in which a fault is told: its words in their order."""
    for way in rule.get("in", ()):
        if isinstance(way, str):
            yield " ".join(
                itertools.chain.from_iterable([each] if isinstance(each, str) else each for each in rule["in"])
            )
            return
        yield " ".join(way)


def _knows(line: str) -> bool:
    reader = LogReader(load())
    reader.read(io.BytesIO(f"[ERROR] {line}\n".encode()))
    return any(
        not each.unknown and each.code.kind != "wrapper" for each in diagnosed(reader.log(), load(), None).errors
    )


def beside(source: Path, python: str, places: Sequence[Path]) -> int:
    """Print what the tool and `explain` say of each log or folder of logs, and how long each takes as a command; return how often ours says nothing."""
    silent = 0
    seconds = [0.0, 0.0]
    for place in places:
        with tempfile.TemporaryDirectory() as out:
            of_logs = ["-i", str(place)] if place.is_dir() else ["--train_log", str(place)]
            theirs, their_seconds = _timed([python, "-c", _PEER, "single-diag", *of_logs, "-o", out], source)
            reports = [each.read_text("utf-8", "replace") for each in Path(out).rglob("diag_report.json")]
        names = dict.fromkeys(re.findall(r'"(?:cause_zh|code|root_cause_code)": "([^"]+)"', "\n".join(reports)))
        shown = names or dict.fromkeys(re.findall(r"(?:状态码|故障名称) *\| *(\S.*?) *\|", theirs))
        command = [sys.executable, "-m", "npu_lsp", "explain", str(place), "--format", "json"]
        ours, our_seconds = _timed(command, Path.cwd())
        said = json.loads(ours) if ours.startswith("{") else {"errors": [], "waited": None}
        errors = [each["code"] for each in said["errors"] if each["kind"] != "unknown"]
        errors += said["waited"]["names"] if said["waited"] is not None else []
        silent += not errors
        seconds[0] += their_seconds
        seconds[1] += our_seconds
        sys.stdout.write(
            f"{place.name}\n  theirs, {their_seconds:.2f} s: {'; '.join(list(shown)[:_SHOWN]) or 'nothing'}\n"
            f"  ours, {our_seconds:.2f} s: {'; '.join(errors[:_SHOWN]) or 'nothing'}\n"
        )
    sys.stdout.write(f"{len(places)} logs: theirs {seconds[0]:.1f} s, ours {seconds[1]:.1f} s\n")
    return silent


def _timed(command: Sequence[str], folder: Path) -> tuple[str, float]:
    before = time.perf_counter()
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ran.stdout or ran.stderr, time.perf_counter() - before


def main(arguments: Sequence[str]) -> int:
    """Do what is asked; 1 where something differs."""
    match arguments:
        case ["cases", folder]:
            return bool(cases(Path(folder)))
        case ["knowledge", file]:
            return bool(knowledge(Path(file)))
        case ["run", source, python, *places]:
            return bool(beside(Path(source), python, [Path(place).resolve() for place in places]))
    sys.stderr.write(f"{__doc__}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
