"""Text as XML 1.0 can hold it."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from npu_lsp.text.terminal import without_commands

# Characters that XML 1.0 can't hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_SIGN = "&#35;"


def content(text: str) -> str:
    """Return `text` as it stands between tags."""
    return without_commands(escape(_clean(text)), _SIGN)


def attribute(text: str) -> str:
    """Return `text` as the value of an attribute, with its quotes."""
    return without_commands(quoteattr(_clean(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}), _SIGN)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
