"""Who connects over the network is heard only where they speak the protocol."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from npu_lsp.lsp import listening
from npu_lsp.lsp.listening import begins_session, listen
from npu_lsp.lsp.streams import Connection
from tests.patience import PATIENCE

HEADERS = (
    b"Content-Length: 2\r\n\r\n{}",
    b"content-length:2\n\n",
    b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
)
OTHERS = (
    b"POST / HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
    b"OPTIONS * HTTP/1.1\r\n",
    b"PRI * HTTP/2.0\r\n",
    b"Content-Length: 2\r\nHost: localhost\r\n\r\n{}",
    b"Content-Length: 2\r\nOrigin: http://example.org\r\n\r\n{}",
    b"Content-Length: 2\r\nX-Other: 1\r\n\r\n{}",
    b"Content-Length: many\r\n\r\n",
    b"Content-Type: text/plain\r\n\r\n{}",
    b"X: y\r\nContent-Length: 2\r\n\r\n{}",
    b"\r\nContent-Length: 2\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01",
    b"{}\n",
    b"Content-Length: 2" + b" " * 9_000,
)


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_of_the_protocol_however_it_is_cut(header: bytes) -> None:
    whole = header.removesuffix(b"{}")
    assert {begins_session(whole[:end]) for end in range(len(whole))} == {None}
    assert begins_session(header) is True


@pytest.mark.parametrize("other", OTHERS)
def test_anything_else_is_none_however_it_is_cut(other: bytes) -> None:
    assert begins_session(other) is False
    assert all(begins_session(other[:end]) is not True for end in range(len(other)))


@contextmanager
def listener(patience: float) -> Iterator[tuple[tuple[str, int], Future[Connection]]]:
    """Listen in a thread; yield the address, and who is taken."""
    address: Future[tuple[str, int]] = Future()
    with ThreadPoolExecutor(1) as threads:
        taken = threads.submit(listen, "127.0.0.1", 0, lambda *at: address.set_result(at), patience)
        at = address.result(PATIENCE)
        try:
            yield at, taken
        finally:
            # Nobody waits for ever where a test has failed.
            while not taken.done():
                with suppress(OSError):  # who is slow is sent away, too
                    speak(at).close()
            taken.result(PATIENCE).close()


def speak(address: tuple[str, int]) -> socket.socket:
    connection = socket.create_connection(address, timeout=PATIENCE)
    connection.sendall(HEADERS[0])
    return connection


def test_what_was_heard_is_read_again() -> None:
    with listener(PATIENCE) as (address, taken), socket.create_connection(address) as connection:
        for at in range(len(HEADERS[0])):
            connection.sendall(HEADERS[0][at : at + 1])
        client = taken.result(PATIENCE)
        heard = b""
        while len(heard) < len(HEADERS[0]):
            heard += client.read(100)
        assert heard == HEADERS[0]


def test_who_says_nothing_is_sent_away(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), listener(0.01) as (address, _):
        with socket.create_connection(address, timeout=PATIENCE) as silent:
            assert silent.recv(1) == b""
        with socket.create_connection(address, timeout=PATIENCE):
            pass  # gone at once
    assert "sent nothing first" in caplog.text


def test_many_who_say_nothing_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "_MOST", 2)
    with listener(PATIENCE) as (address, taken):
        silent = [socket.create_connection(address, timeout=PATIENCE) for _ in range(5)]
        assert [silent[at].recv(1) for at in range(3)] == [b""] * 3
        with speak(address):
            assert taken.result(PATIENCE)
        for each in silent:
            each.close()
