"""`github`: commands that GitHub's runners turn into annotations.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import one_line, shown

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", Severity.HINT: "notice"}


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a command for each finding."""
    for entry in result.open:
        yield f"::{_COMMANDS[entry.severity]} {','.join(_properties(entry, result))}::{_data(_text(entry))}\n"


def _properties(entry: ReportedFinding, result: Result) -> Iterator[str]:
    place = entry.place
    yield f"title={_property(f'npu-lsp ({entry.code})')}"
    yield f"file={_property(project_path(entry.path, result))}"
    yield f"line={place.line}"
    # Columns make sense to the runner only within one line.
    if place.line == place.end_line:
        yield f"col={place.column}"
    yield f"endLine={place.end_line}"
    if place.line == place.end_line:
        yield f"endColumn={place.end_column}"


def _text(entry: ReportedFinding) -> str:
    # The log shows nothing but this text, so it has to name the place again.
    place = f"{shown(entry.path)}:{entry.place.line}:{entry.place.column}"
    return f"{place}: {one_line(entry.code)} {one_line(entry.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(shown(text)).replace(":", "%3A").replace(",", "%2C")
