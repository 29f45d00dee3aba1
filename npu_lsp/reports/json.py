"""`json`: one object with every finding, for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from npu_lsp.checking.report import ReportedFinding, ReportedFix, Result
from npu_lsp.docs.labels import rule_url
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import as_json

VERSION = 1
"""Goes up when a field changes its meaning or goes away; a new field is no new version."""


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield the object; silenced findings are in it, marked as suppressed."""
    yield as_json({"version": VERSION, "findings": [fields(e) for e in result.entries]})


def fields(entry: ReportedFinding) -> dict[str, Any]:
    """Return what programs learn about one finding."""
    cell = {"in_cell": entry.in_cell._asdict()} if entry.in_cell is not None else {}
    return {
        "path": entry.path,
        "line": entry.place.line,
        "column": entry.place.column,
        "end_line": entry.place.end_line,
        "end_column": entry.place.end_column,
        "code": entry.code,
        "name": entry.name,
        "severity": entry.severity.value,
        "message": entry.message,
        "option": entry.option,
        "fixable": entry.fixable,
        "suppressed": bool(entry.silenced),
        **cell,
        "url": rule_url(entry.code),
        "fixes": [_fix(remedy) for remedy in entry.reported_fixes],
    }


def _fix(remedy: ReportedFix) -> dict[str, Any]:
    """Return one way to mend a finding; the first one is what `--fix` does, if it is safe."""
    return {
        "title": remedy.title,
        "safe": remedy.safe,
        "edits": [{**place._asdict(), "text": text} for place, text in remedy.replacements],
        "creates": [creation._asdict() for creation in remedy.creations],
        "note": remedy.note,
    }
