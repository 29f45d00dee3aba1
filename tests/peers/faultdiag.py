"""Compares what `explain` says of the logs of Huawei's own diagnosis with the table in `faultdiag.toml`.

`python -m tests.peers.faultdiag FOLDER`: the folder `component/ascend-faultdiag/test` of a clone of Ascend/mind-cluster. Each difference
is a line; the exit code is 1 where there are any. CI doesn't run this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.catalog.load import load
from npu_lsp.checking.diagnosis import diagnosed
from npu_lsp.checking.logs.reader import Log, LogReader
from npu_lsp.checking.logs.sources import below, opened
from npu_lsp.text.toml import read

TABLE: Mapping[str, Any] = read(Path(__file__).with_suffix(".toml"))["cases"]


def log_of(folder: Path) -> Log:
    reader = LogReader(load())
    for path in below(str(folder)):
        with opened(path) as stream:
            reader.read(stream, os.path.relpath(path, folder))
    return reader.log()


def lacking(case: Mapping[str, Any], log: Log) -> Iterator[str]:
    """Yield the codes and parts of names of a row that a log's diagnosis doesn't tell."""
    told = [each.code.code for each in diagnosed(log, load(), None).errors]
    names = log.waited.names if log.waited is not None else ()
    yield from (code for code in case.get("codes", ()) if code not in told)
    yield from (part for part in case.get("names", ()) if not any(part in each for each in names))


def main(arguments: Sequence[str]) -> int:
    """Print what is lacking."""
    folder = Path(arguments[0])
    rows = {name: case for name, case in TABLE.items() if "why" not in case}
    wrong = 0
    for name, case in rows.items():
        place = folder / case.get("logs", name)
        missed = list(lacking(case, log_of(place))) if place.is_dir() else ["its folder"]
        wrong += bool(missed)
        if missed:
            sys.stdout.write(f"{name}: not there: {'; '.join(missed)}\n")
    sys.stdout.write(f"{len(rows)} cases, {wrong} with another answer\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
