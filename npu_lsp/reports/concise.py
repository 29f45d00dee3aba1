"""`concise`: a line for each finding, as compilers write them, so that editors and terminals can jump to it."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Entry, Result
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import one_line, shown_path


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield `path:line:column: CODE message`, with `[*]` before messages of findings that `--fix` mends."""
    for entry in result.open:
        yield line(entry, style) + "\n"


def line(entry: Entry, style: Style) -> str:
    """Return the line for one finding."""
    colon = style.dim(":")
    where = f"{style.bold(shown_path(entry.path))}{colon}{entry.place.line}{colon}{entry.place.column}{colon}"
    mark = f"[{style.blue('*')}] " if entry.fixable else ""
    return f"{where} {style.severity(entry.severity, entry.code)} {mark}{one_line(entry.message)}"
