"""Bytes to text and back: a file that is written again keeps its encoding, its byte order mark and its line ends."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
"""Source: PEP 263."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
# A file may name any codec of Python's, some of which execute, decompress or are slow.
_TEXT_CODECS = re.compile(r"(?:utf|ascii|latin|iso|cp|gb|big5|euc|koi8|mac|shift|hz|johab|ptcp|kz|tis)[\w-]*", re.ASCII)


class UndecodableError(ValueError):
    """Bytes that are no text, and why."""

    def __init__(self, said: Text) -> None:
        super().__init__(said.en)
        self.said = said


class Decoded(NamedTuple):
    """A text, and how it is written as bytes."""

    text: str
    """Without a byte order mark; line ends as they are."""
    encoding: str = "utf-8"
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Return the bytes of another text in the same encoding; raise `UnicodeEncodeError` where it can't hold it."""
        return self.mark + text.encode(self.encoding)


def decode(data: bytes) -> Decoded:
    """Return the text that `data` means, or raise `UndecodableError`.

    A byte order mark counts first, then a `coding:` line, then UTF-8, GB18030 (which holds GBK) and Latin-1.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data, mark, encoding)
    if b"\0" in data:
        raise UndecodableError(Text("NUL bytes", "含有空字符"))
    if b"coding" in data[:500]:
        declared = _declared(data)
        text = _try(data, declared) if declared else None
        if declared and text is not None:
            return Decoded(text, declared)
    for encoding in ("utf-8", "gb18030"):
        text = _try(data, encoding)
        if text is not None:
            return Decoded(text, encoding)
    if _CONTROL.search(data):
        raise UndecodableError(Text("control characters", "含有控制字符"))
    return Decoded(data.decode("latin-1"), "latin-1")


def _marked(data: bytes, mark: bytes, encoding: str) -> Decoded:
    text = _try(data[len(mark) :], encoding)
    if text is None or "\0" in text:
        name = encoding.removesuffix("-le").removesuffix("-be").upper()
        raise UndecodableError(Text(f"no {name} behind its byte order mark", f"字节顺序标记之后不是 {name} 编码"))
    return Decoded(text, encoding, mark)


def _declared(data: bytes) -> str | None:
    """Return the codec that one of the first two lines names."""
    for line in data[:500].splitlines()[:2]:
        found = _CODING.match(line)
        if found:
            name = found[1].decode("ascii", "replace").lower()
            try:
                return codecs.lookup(name).name if _TEXT_CODECS.fullmatch(name) else None
            except LookupError:
                return None
    return None


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError, ValueError):
        return None
