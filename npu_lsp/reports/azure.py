"""`azure`: commands that Azure Pipelines turns into issues of a run.

Source: https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import one_line, shown, shown_path

# It knows no other types: what is no warning is told as a line of the log.
_TYPES = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a line for each finding."""
    for entry in result.open:
        place = f"{shown_path(entry.path)}:{entry.place.line}:{entry.place.column}"
        text = f"{place}: {one_line(entry.code)} {one_line(entry.message)}"
        if entry.severity in _TYPES:
            yield f"##vso[task.logissue {';'.join(_properties(entry, result))}]{_data(text)}\n"
        else:
            yield f"{text}\n"


def _properties(entry: ReportedFinding, result: Result) -> Iterator[str]:
    yield f"type={_TYPES[entry.severity]}"
    yield f"sourcepath={_property(project_path(entry.path, result))}"
    yield f"linenumber={entry.place.line}"
    yield f"columnnumber={entry.place.column}"
    yield f"code={_property(entry.code)}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(shown(text)).replace("]", "%5D").replace(";", "%3B")
