"""Bytes become text and the same bytes again."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.text.decoding import UndecodableError, decode
from tests.together import together

TEXT = "# 中文 é 😀\r\nx = 1\n"


@together(
    ("data", "encoding"),
    [
        (b"", "utf-8"),
        (TEXT.encode(), "utf-8"),
        (TEXT.encode("utf-8-sig"), "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32-le"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "utf-32-be"),
        ("# 中文\n".encode("gbk"), "gb18030"),
        ("# -*- coding: GBK -*-\n# 中文\n".encode("gbk"), "gbk"),
        ("#!/bin/sh\n# vim: set fileencoding=latin-1 :\n# é\n".encode("latin-1"), "iso8859-1"),
        ("# é\n".encode("latin-1"), "latin-1"),
        ("# coding: rot13\n# 中文\n".encode(), "utf-8"),
        (b"# coding: zlib\n", "utf-8"),
        (b"# coding: unicode_escape\n'\\x41'\n", "utf-8"),
        # It takes this one minutes for some hundred thousand bytes.
        (b"# coding: punycode\n-a", "utf-8"),
        ("# coding: ascii\n# 中文\n".encode(), "utf-8"),
    ],
)
def test_each_encoding_is_told_and_kept(data: bytes, encoding: str) -> None:
    decoded = decode(data)
    assert decoded.encoding == encoding
    assert decoded.encode(decoded.text) == data
    assert not decoded.text.startswith("\ufeff")


@together(
    "data", [b"a\0b", b"\x80\x01\xff", codecs.BOM_UTF16_LE + b"\x00\xd8a", codecs.BOM_UTF8 + b"\xff", b"\xff\xfea"]
)
def test_what_is_no_text_is_said(data: bytes) -> None:
    with pytest.raises(UndecodableError):
        decode(data)


@given(st.binary(max_size=200))
def test_any_bytes_come_back_or_are_no_text(data: bytes) -> None:
    try:
        decoded = decode(data)
    except UndecodableError:
        return
    assert decoded.encode(decoded.text) == data
