"""How far the files of a tree get: most end at the words that are looked for first, few reach the rules."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from npu_lsp.checking.checker import kind_of
from npu_lsp.languages import read
from npu_lsp.languages.triggers import may_match
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.decoding import UndecodableError, decode
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


@dataclass(slots=True)
class Stages:
    """Files and bytes of one kind, those that get so far, and seconds of the processor that each stage takes."""

    files: int = 0
    size: int = 0
    parsed: int = 0
    setting: int = 0
    found: int = 0
    filtering: float = 0
    reading: float = 0
    judging: float = 0


def stages(root: Path) -> dict[str, Stages]:
    """Return how far the files below `root` get, by kind; the last row is all of them."""
    analyzer = Analyzer(Config(), all_rules)
    analyzer.catalog, analyzer.rules  # noqa: B018 - loaded before anything is timed
    rows: dict[str, Stages] = defaultdict(Stages)
    for path in _files(root):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        kind = kind_of(str(path), data)
        _pass(path, kind, data, analyzer, rows["all" if kind is Kind.OTHER else kind.value])
    every = rows.pop("all", Stages())
    for row in rows.values():
        for name in Stages.__slots__:
            setattr(every, name, getattr(every, name) + getattr(row, name))
    return {**dict(sorted(rows.items())), "all": every}


def _pass(path: Path, kind: Kind, data: bytes, analyzer: Analyzer, row: Stages) -> None:
    row.files += 1
    row.size += len(data)
    start = time.process_time()
    matches = may_match(kind, data)
    row.filtering += time.process_time() - start
    if not matches:
        return
    try:
        document = Document(decode(data).text, path=str(path), kind=kind)
    except UndecodableError:
        return
    start = time.process_time()
    reading = read(document)
    row.reading += time.process_time() - start
    start = time.process_time()
    findings = analyzer.findings(document)
    row.judging += time.process_time() - start
    row.parsed += 1
    row.setting += bool(reading.blocks)
    row.found += bool(findings)


def _files(root: Path) -> Iterator[Path]:
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if name != ".git"]
        yield from (Path(folder, name) for name in sorted(names))
