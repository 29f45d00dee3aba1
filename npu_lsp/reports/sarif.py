"""`sarif`: SARIF 2.1.0, for GitHub code scanning and other stores of findings.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from npu_lsp import __version__
from npu_lsp.checking.report import Range, ReportedFinding, ReportedFix, Result, RuleFacts
from npu_lsp.docs.labels import rule_url
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.identity import fingerprints, project_path, uri
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import as_json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "note"}
_SUPPRESSIONS = {
    "comment": {"kind": "inSource", "justification": "npu-lsp: ignore"},
    "baseline": {"kind": "external", "justification": "baseline"},
}

Json = dict[str, Any]


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield the log with one run; silenced findings are in it, marked as suppressed."""
    codes = sorted({entry.code for entry in result.entries})
    numbers = {code: number for number, code in enumerate(codes)}
    marks = fingerprints(result.entries, result)
    run = {
        "tool": {
            "driver": {
                "name": "npu-lsp",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(code, result.rules.get(code)) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root folder of the project."}}},
        "invocations": [{"executionSuccessful": not result.failed}],
        "results": [
            _result(entry, numbers[entry.code], mark, result) for entry, mark in zip(result.entries, marks, strict=True)
        ],
    }
    yield as_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: str, facts: RuleFacts | None) -> Json:
    if facts is None:
        return {"id": code}
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in facts.name.split("-")),
        "shortDescription": {"text": facts.title},
        "fullDescription": {"text": facts.title},
        "help": {"text": facts.page, "markdown": facts.page},
        **({"helpUri": url} if (url := rule_url(code)) else {}),
        "defaultConfiguration": {"level": _LEVELS[facts.severity]},
        "properties": {"tags": ["ascend", "npu"], "problem.severity": _problem_severity(facts.severity)},
    }


def _problem_severity(severity: Severity) -> str:
    return {"error": "error", "warning": "warning"}.get(severity.value, "recommendation")


def _result(entry: ReportedFinding, number: int, mark: str, result: Result) -> Json:
    artifact = _artifact(project_path(entry.path, result))
    found: Json = {
        "ruleId": entry.code,
        "ruleIndex": number,
        "level": _LEVELS[entry.severity],
        "message": {"text": entry.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": _region(entry.place)}}],
        "partialFingerprints": {"npuLspFinding/v1": mark},
        "properties": {"name": entry.name, "severity": entry.severity.value, "option": entry.option},
    }
    if entry.notes:
        found["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": note.message},
                "physicalLocation": {"artifactLocation": artifact, "region": _region(note.place)},
            }
            for number, note in enumerate(entry.notes, 1)
        ]
    # A fix of SARIF changes files that exist; one that creates a file can't be told.
    fixes = [_fix(remedy, artifact) for remedy in entry.reported_fixes if remedy.replacements and not remedy.creations]
    if fixes:
        found["fixes"] = fixes
    # Where some results have the property, the others must have an empty one.
    found["suppressions"] = [_SUPPRESSIONS[entry.silenced]] if entry.silenced else []
    return found


def _artifact(path: str) -> Json:
    found = {"uri": uri(path)}
    if not PurePath(path).is_absolute():
        found["uriBaseId"] = _ROOT
    return found


def _region(place: Range) -> Json:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _fix(remedy: ReportedFix, artifact: Json) -> Json:
    return {
        "description": {"text": remedy.title},
        "artifactChanges": [
            {
                "artifactLocation": artifact,
                "replacements": [
                    {"deletedRegion": _region(r.place), "insertedContent": {"text": r.text}}
                    for r in remedy.replacements
                ],
            }
        ],
        "properties": {"safe": remedy.safe},
    }
