"""Folds of scripts. Editors have folds of their own for the other languages, and would lose them for ours."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.kinds import Kind

_MOST = 5000
"""Folds of one document; editors take no more."""


def folding(view: DocumentView, _params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """Answer what can be folded, in whole lines: the last line of a block that ends with a word of its own stays."""
    if view.document.kind is not Kind.SHELL:
        return None
    from npu_lsp.languages.shell.folds import folds

    found: dict[int, types.FoldingRange] = {}
    for span in folds(view.document):
        start, end = view.document.line_of(span.start), view.document.line_of(max(span.start, span.end - 1))
        last = view.document.line_text(end).strip()
        comment = view.document.text.startswith("#", span.start)
        if last in ("fi", "done", "esac", "}", ")", ";;"):
            end -= 1
        if end > start and len(found) < _MOST:
            kind = types.FoldingRangeKind.Comment if comment else None
            # Of several that start on one line the outermost.
            found.setdefault(start, types.FoldingRange(start, end, kind=kind))
    return sorted(found.values(), key=lambda fold: fold.start_line)
