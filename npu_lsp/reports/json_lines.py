"""`json-lines`: one object a line for each finding, for programs that read as it comes."""

from __future__ import annotations

import json
from collections.abc import Iterator

from npu_lsp.checking.report import Result
from npu_lsp.reports.json import fields
from npu_lsp.reports.style import Style


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a line for each finding, with the fields of `json`."""
    for entry in result.entries:
        yield json.dumps(fields(entry), ensure_ascii=False) + "\n"
