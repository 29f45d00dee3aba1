"""What is told of a text as a whole, in a form that is easy to compare; and a whole text with one thing changed."""

from __future__ import annotations

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def told(text: str, kind: Kind, config: Config | None = None) -> list[tuple[str, str]]:
    """Return the code and the underlined text of each finding."""
    found = Analyzer(config or Config(), all_rules).findings(Document(text, kind=kind))
    return [(f.code, text[f.span.start : f.span.end]) for f in found]


def changed(whole: str, before: str, after: str) -> str:
    """Return `whole` with `after` in the one place where `before` stands."""
    assert whole.count(before) == 1, before
    return whole.replace(before, after)
