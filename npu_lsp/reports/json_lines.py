"""`json-lines`: one object a line for each finding, for programs that read as it comes."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import Result
from npu_lsp.reports.json import fields
from npu_lsp.reports.style import Style
from npu_lsp.text.terminal import as_json


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a line for each finding, with the fields of `json`."""
    for entry in result.entries:
        yield as_json(fields(entry), lines=False)
