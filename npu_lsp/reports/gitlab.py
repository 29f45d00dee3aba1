"""`gitlab`: a Code Quality report for merge requests.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.identity import fingerprints, project_path
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import as_json

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info", Severity.HINT: "info"}


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a list with an object for each finding; merge requests compare these by their fingerprints."""
    issues = [
        {
            "description": f"{entry.code}: {entry.message}",
            "check_name": entry.code,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[entry.severity],
            "location": {
                "path": project_path(entry.path, result),
                "positions": {
                    "begin": {"line": entry.place.line, "column": entry.place.column},
                    "end": {"line": entry.place.end_line, "column": entry.place.end_column},
                },
            },
        }
        for entry, fingerprint in zip(result.open, fingerprints(result.open, result), strict=True)
    ]
    yield as_json(issues)
