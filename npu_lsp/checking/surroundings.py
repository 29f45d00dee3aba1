"""Checks what a process has, with the rules that files are checked with."""

from __future__ import annotations

import os
from pathlib import Path

from npu_lsp.catalog import environment, toolkit
from npu_lsp.checking import processes
from npu_lsp.checking.entries import entries
from npu_lsp.checking.report import ReportedFinding, order
from npu_lsp.checking.run import Outcome
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.small_file import read_text

_LARGEST = 1_000_000
_LISTED = "installed-packages.txt"
"""What reports call the packages that are installed."""


def check_process(process: processes.Process, launch: str | None, config: Config, language: Language) -> Outcome:
    """Check the variables of a process with its command, or with the script `launch` in its place, and its packages.

    What is wrong in the script stands at its own lines. Raises `OSError`, `UnicodeDecodeError` for a script that can't be read.
    """
    analyzer = Analyzer(
        config,
        all_rules,
        language=language,
        toolkit=toolkit.find(process.variables),
        packages=environment.find(process.variables),
    )
    told = read_text(Path(launch), _LARGEST) if launch is not None else None
    text = processes.script(process, told)
    found = _found(process.name, text, Kind.SHELL, analyzer)
    if told is not None:
        lines = len(text[: len(text) - len(told)].splitlines())
        found = [_moved(entry, lines, launch or "") for entry in found]
    installed = processes.packages(process.python)
    found += _found(_LISTED, "".join(f"{n}=={v}\n" for n, v in installed.items()), Kind.REQUIREMENTS, analyzer)
    entered = tuple(sorted((_alone(entry) for entry in found), key=order))
    return Outcome(entered, 1, (), analyzer.failures > 0, [])


def _found(name: str, text: str, kind: Kind, analyzer: Analyzer) -> list[ReportedFinding]:
    document = Document(text, path=os.path.abspath(name), kind=kind)
    return list(entries(name, document, analyzer.findings(document)))


def _moved(entry: ReportedFinding, lines: int, path: str) -> ReportedFinding:
    """Return an entry of the script behind the variables, with its own lines; what else it shows stands in front of it."""
    place = entry.place
    if place.line <= lines:
        return entry
    moved = place._replace(line=place.line - lines, end_line=place.end_line - lines)
    first = max(entry.source_line, lines + 1)
    source = entry.source[first - entry.source_line :]
    notes = tuple(
        note._replace(place=note.place._replace(line=note.place.line - lines, end_line=note.place.end_line - lines))
        for note in entry.notes
        if note.place.line > lines
    )
    return entry._replace(path=path, place=moved, source=source, source_line=first - lines, notes=notes)


def _alone(entry: ReportedFinding) -> ReportedFinding:
    """Return an entry without its fixes, since there is no file that they could change, and without the variables around it."""
    at = entry.place.line - entry.source_line
    source = entry.source[at : at + 1] if 0 <= at < len(entry.source) else ()
    return entry._replace(reported_fixes=(), fixable=False, source=source, source_line=entry.place.line)
