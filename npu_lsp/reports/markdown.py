"""`markdown`: a table, for the summary of a CI job or a comment on a change.

Source: https://github.github.com/gfm/#tables-extension-
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.docs.labels import rule_url
from npu_lsp.docs.markdown import code, link, plain
from npu_lsp.reports.identity import project_path
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import found
from npu_lsp.text.bilingual import Text

_HEAD = (
    Text(en="place", zh="位置"),
    Text(en="severity", zh="级别"),
    Text(en="rule", zh="规则"),
    Text(en="message", zh="说明"),
)


def render(result: Result, style: Style) -> Iterator[str]:
    """Yield a heading, what was found in a sentence, and a row for each finding."""
    yield f"### npu-lsp\n\n{found(result)}\n"
    if not result.open:
        return
    yield f"\n| {' | '.join(text.to(result.language) for text in _HEAD)} |\n|{' --- |' * len(_HEAD)}\n"
    for entry in result.open:
        cells = (
            # A bar ends a cell, in code too.
            code(f"{project_path(entry.path, result)}:{entry.place.line}:{entry.place.column}").replace("|", r"\|"),
            entry.severity.value,
            _rule(entry),
            plain(entry.message),
        )
        yield f"| {' | '.join(cells)} |\n"


def _rule(entry: ReportedFinding) -> str:
    return link(entry.code, rule_url(entry.code) or "")
