"""`checkstyle`: the XML of Checkstyle, which most review tools read.

Source: https://github.com/checkstyle/checkstyle/blob/master/src/main/java/com/puppycrawl/tools/checkstyle/XMLLogger.java
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.style import Style
from npu_lsp.reports.xml_text import attribute

_VERSION = "10.0"
"""The version of Checkstyle whose form this is."""
_SEVERITIES = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
    Severity.HINT: "info",
}


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield the XML: a file for each with findings."""
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="{_VERSION}">\n'
    for path, group in groupby(result.open, key=lambda entry: project_path(entry.path, result)):
        yield f"  <file name={attribute(path)}>\n"
        for entry in group:
            yield _error(entry)
        yield "  </file>\n"
    yield "</checkstyle>\n"


def _error(entry: ReportedFinding) -> str:
    return (
        f'    <error line="{entry.place.line}" column="{entry.place.column}"'
        f' severity="{_SEVERITIES[entry.severity]}" message={attribute(entry.message)}'
        f" source={attribute(f'npu-lsp.{entry.code}')}/>\n"
    )
