"""What a JSON string says, with the place of each of its characters."""

from __future__ import annotations

from npu_lsp.text import lazy_re as re
from npu_lsp.text.source_map import LocatedText
from npu_lsp.text.spans import Span

_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<sign>.)|\Z)", re.DOTALL)
_LOW_HALF = re.compile(r"\\u(?P<code>[dD][c-fC-F][0-9a-fA-F]{2})")
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "u": "\ufffd"}


def decoded(text: str, *spans: Span) -> LocatedText:
    """Return what strings say one behind the other; each of `spans` is what stands between the quotes of one."""
    said = LocatedText()
    for at, end in spans:
        while at < end:
            stop = text.find("\\", at, end)
            stop = end if stop < 0 else stop
            said.take(text, Span(at, stop))
            at = stop
            match = _ESCAPE.match(text, at, end)
            if match is not None:
                char, stop = _escaped(match, end)
                said.put(char, at, stop)
                at = stop
    return said


def _escaped(match: re.Match[str], end: int) -> tuple[str, int]:
    """Return what an escape stands for and where it ends; of a pair of halves, the first one takes both."""
    if match["code"] is None:
        sign = match["sign"] or "\\"
        return _SIGNS.get(sign, sign), match.end()
    code = int(match["code"], 16)
    if not 0xD800 <= code < 0xE000:
        return chr(code), match.end()
    low = _LOW_HALF.match(match.string, match.end(), end) if code < 0xDC00 else None
    if low is None:
        return "\ufffd", match.end()  # Half a character is none: no file could hold it.
    return chr(0x10000 + ((code - 0xD800) << 10) + (int(low["code"], 16) - 0xDC00)), low.end()
