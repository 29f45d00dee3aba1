"""The comments of a script that speak to npu-lsp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.languages.model import Comment
from npu_lsp.languages.shell.part import Script
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_SPOKEN_TO = re.compile("npu-lsp:", re.IGNORECASE)


def comments(document: Document, script: Script) -> Iterator[Comment]:
    """Yield the comments of a script that speak to npu-lsp, in the order of the text."""
    text = document.text
    if "npu-lsp:" not in text.lower():
        return
    end = 0
    while (spoken := _SPOKEN_TO.search(text, end)) is not None:
        line = document.line_span(document.line_of(spoken.start()))
        end = line.end
        # The first sign may be that of `$#`.
        for start in sorted({text.find("#", *line), text.rfind("#", line.start, spoken.start())} - {-1}):
            node = script.node_at(start, start + 1)
            if start < spoken.start() and node is not None and node.type in ("comment", "ERROR"):
                own = not text[line.start : start].strip(" \t\ufeff")
                yield Comment(Span(start, line.end), own)
                break
