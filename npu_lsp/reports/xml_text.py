"""Text as XML 1.0 can hold it."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from npu_lsp.text import lazy_re as re
from npu_lsp.text.terminal import printable

# Characters that XML 1.0 can't hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def content(text: str) -> str:
    """Return `text` as it stands between tags, in one line."""
    return printable(escape(text), _reference, _reference("#"))


def attribute(text: str) -> str:
    """Return `text` as the value of an attribute, with its quotes."""
    return printable(quoteattr(text), _reference, _reference("#"))


def _reference(char: str) -> str:
    return "\ufffd" if _FORBIDDEN.match(char) else f"&#{ord(char)};"
