"""Exports of which pages and scripts show several, so that one of them is taken."""

from __future__ import annotations

import re

from npu_lsp.text.document import Document

_SETS_OR_SAYS = re.compile(r"|#.*|(?:export[ \t]+)?[A-Za-z_]\w*=[^;&|]*")
_MOST = 300
"""Lines between two exports of a list."""


def are_listed(document: Document, first: int, last: int) -> bool:
    """Tell whether two exports, which stand at these code points, are of a list of what can be set.

    Each stands in a paragraph of its own below a comment of its own, and nothing runs between them: pages show alternatives so.
    """
    one, other = document.line_of(first), document.line_of(last)
    if not 0 < other - one <= _MOST or one == 0:
        return False
    if not all(document.line_text(line - 1).lstrip().startswith("#") for line in (one, other)):
        return False
    between = [document.line_text(line).strip() for line in range(one, other)]
    return "" in between and all(map(_SETS_OR_SAYS.fullmatch, between))
