"""`concise`: a line for each finding, as compilers write them, so that editors, terminals and CI can jump to it.

Source: https://www.gnu.org/prep/standards/html_node/Errors.html; GCC has errors, warnings and notes.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import one_line, shown_path

_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "note"}


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield `path:line:column: severity: CODE message`, with `[*]` before messages of findings that `--fix` mends."""
    for entry in result.open:
        yield line(entry, style) + "\n"


def line(entry: ReportedFinding, style: Style) -> str:
    """Return the line for one finding."""
    colon = style.dim(":")
    where = f"{style.bold(shown_path(entry.path))}{colon}{entry.place.line}{colon}{entry.place.column}{colon}"
    mark = f"[{style.blue('*')}] " if entry.fixable else ""
    what = style.severity(entry.severity, f"{_WORDS[entry.severity]}: {one_line(entry.code)}")
    return f"{where} {what} {mark}{one_line(entry.message)}"
