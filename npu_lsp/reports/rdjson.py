"""`rdjson`: what reviewdog reads, with the fix of each finding as a suggestion.

Columns count bytes of UTF-8 here; where a line isn't at hand, whole lines are meant.
Source: https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from npu_lsp.checking.report import Range, ReportedFinding, Result
from npu_lsp.docs.labels import rule_url
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import as_json

_SEVERITIES = {
    Severity.ERROR: "ERROR",
    Severity.WARNING: "WARNING",
    Severity.INFO: "INFO",
    Severity.HINT: "INFO",
}
Json = dict[str, Any]


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield one object with a diagnostic for each finding."""
    content = {"source": {"name": "npu-lsp"}, "diagnostics": [_diagnostic(entry, result) for entry in result.open]}
    yield as_json(content)


def _diagnostic(entry: ReportedFinding, result: Result) -> Json:
    path, url = project_path(entry.path, result), rule_url(entry.code)
    found: Json = {
        "message": entry.message,
        "location": {"path": path, "range": _range(entry, entry.place)},
        "severity": _SEVERITIES[entry.severity],
        "code": {"value": entry.code, **({"url": url} if url else {})},
    }
    if entry.notes:
        found["relatedLocations"] = [
            {"message": note.message, "location": {"path": path, "range": _range(entry, note.place)}}
            for note in entry.notes
        ]
    suggestions = list(_suggestions(entry))
    if suggestions:
        found["suggestions"] = suggestions
    return found


def _suggestions(entry: ReportedFinding) -> Iterator[Json]:
    """Yield *the* fix, where it is one change in one place: each suggestion is offered on its own."""
    for remedy in entry.reported_fixes[:1]:
        if len(remedy.replacements) == 1 and not remedy.creations:
            ((place, text),) = remedy.replacements
            if all(_column(entry, *end) for end in (place[:2], place[2:])):
                yield {"range": _range(entry, place), "text": text}


def _range(entry: ReportedFinding, place: Range) -> Json:
    start, end = _column(entry, *place[:2]), _column(entry, *place[2:])
    if start is None or end is None:
        # Without columns it means whole lines, the last one included.
        return {"start": {"line": place.line}, "end": {"line": place.end_line}}
    return {"start": {"line": place.line, "column": start}, "end": {"line": place.end_line, "column": end}}


def _column(entry: ReportedFinding, line: int, column: int) -> int | None:
    """Return a column in bytes of UTF-8, from 1."""
    number = line - entry.source_line
    if not 0 <= number < len(entry.source):
        return 1 if column == 1 else None
    return len(entry.source[number][: column - 1].encode("utf-8", "surrogatepass")) + 1
