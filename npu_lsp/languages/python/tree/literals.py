"""Text literals in source code: their prefix, their quotes, and where their characters stand."""

from __future__ import annotations

import re
from typing import NamedTuple

from npu_lsp.text.spans import Span

_LITERAL = re.compile(r"""(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"\"\"|'''|"|')""")


class Literal(NamedTuple):
    """One text literal as written."""

    prefix: str
    quote: str
    content: Span
    """What stands between the quotes."""


def single_literal(text: str, span: Span) -> Literal | None:
    """Return the literal that fills `span` of `text`, or `None` where there are several, or none."""
    found = _LITERAL.match(text, span.start, span.end)
    if found is None:
        return None
    quote = found["quote"]
    start, end = found.end(), span.end - len(quote)
    if end < start or not text.startswith(quote, end):
        return None
    content = text[start:end]
    inner = content.replace("\\\\", "").replace("\\" + quote[0], "") if "\\" in content else content
    # Literals side by side look like one that holds its own quotes.
    if quote in inner or (len(quote) == 1 and ("\n" in inner.replace("\\\n", "") or "\r" in inner.replace("\\\r", ""))):
        return None
    return Literal(found["prefix"].lower(), quote, Span(start, end))
