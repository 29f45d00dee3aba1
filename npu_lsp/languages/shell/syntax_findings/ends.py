"""Line ends of another system."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.text.spans import Edit, Span


def carriage_returns(text: str) -> SyntaxFinding | None:
    r"""Return the mistake of a script with `\r\n`, told once, on its first line that ends so.

    The shell takes `\r` as a part of the last word, and a backslash before it joins no lines.
    """
    first = text.find("\r\n")
    if first < 0:
        return None
    last = text.rfind("\r\n")
    start = text.rfind("\n", 0, first) + 1
    mended = text[first : last + 2].replace("\r\n", "\n")
    lines = str(text.count("\r\n"))
    return SyntaxFinding(SyntaxFault.CRLF, Span(start, first), {"lines": lines}, (Edit(Span(first, last + 2), mended),))
