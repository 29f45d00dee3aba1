"""Messages are found in whatever bytes arrive, however they are cut."""

from __future__ import annotations

import logging

import pytest

from npu_lsp.lsp.inbox import Framer
from tests.together import together

ONE = b'Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length:4\r\n\r\n"ab"'


@together("size", [1, 2, 3, 7, 1000])
def test_pieces_may_end_anywhere(size: int) -> None:
    framer = Framer()
    found = [body for at in range(0, len(ONE), size) for body in framer.feed(ONE[at : at + size])]
    assert found == [b"{}", b'"ab"']


def test_several_messages_in_one_piece() -> None:
    assert Framer().feed(ONE * 3) == [b"{}", b'"ab"'] * 3


@pytest.mark.parametrize(
    "junk",
    [
        b"hello\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"X-Content-Length: 2\r\n\r\n",
        b"\x00\xff" * 50 + b"\n\n",
    ],
)
def test_what_is_no_message_is_passed_over(junk: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert Framer().feed(junk + ONE) == [b"{}", b'"ab"']
    assert "that are no message" in caplog.text


def test_a_header_without_an_end_is_not_kept() -> None:
    framer = Framer()
    for _ in range(100):
        assert framer.feed(b"x" * 100_000) == []
    assert len(framer._buffer) < 10_000
    assert framer.feed(b"\r\n\r\n" + ONE) == [b"{}", b'"ab"']
