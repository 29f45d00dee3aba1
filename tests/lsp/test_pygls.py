"""What pygls was seen to do wrong, and what therefore is done here instead (`npu_lsp/lsp/README.md`).

A test that fails is good news: the part of ours that it names may go.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from lsprotocol import types
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from pygls.workspace import TextDocument

from npu_lsp import lsp
from npu_lsp.lsp.converter import tolerant_converter

README = (Path(lsp.__file__).parent / "README.md").read_text(encoding="utf-8")


class Sent:
    """Takes what a server of pygls sends."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, data: bytes) -> None:
        self.text += data.decode()

    def close(self) -> None:
        """Nothing is to be done."""


def talk(*messages: str, header: str = "Content-Length") -> str:
    """Return what a plain server of pygls sends for messages that come one behind the other."""

    async def served() -> str:
        server, sent = LanguageServer("plain", "1"), Sent()
        server.protocol.set_writer(sent)
        reader = asyncio.StreamReader()
        for message in messages:
            reader.feed_data(f"{header}: {len(message)}\r\n\r\n{message}".encode())
        reader.feed_eof()
        await run_async(Event(), reader, server.protocol)
        return sent.text

    return asyncio.run(served())


INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
SHUTDOWN = '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'


def test_a_plain_server_answers() -> None:
    assert '"id": 1' in talk(INITIALIZE)


def test_inbox_a_header_in_small_letters_is_none() -> None:
    assert talk(INITIALIZE, header="content-length") == ""


def test_protocol_what_cannot_be_read_gets_no_answer() -> None:
    wrong = '{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"position":7}}'
    assert '"id": 3' not in talk(INITIALIZE, wrong)


def test_protocol_what_comes_after_shutdown_gets_no_answer() -> None:
    late = '{"jsonrpc":"2.0","id":4,"method":"shutdown"}'
    assert '"id": 4' not in talk(INITIALIZE, SHUTDOWN, late)


def test_protocol_a_second_initialize_begins_anew() -> None:
    assert talk(INITIALIZE, INITIALIZE).count('"capabilities"') == 2


def test_documents_lines_end_where_the_protocol_has_no_end() -> None:
    assert [len(TextDocument("file:///a", f"a{end}b").lines) for end in ("\f", "\u2028", "\u0085")] == [2, 2, 2]


def test_converter_a_value_that_an_enumeration_lacks_fails_the_message() -> None:
    told: dict[str, Any] = {"capabilities": {}, "trace": "loud"}
    with pytest.raises(Exception, match="InitializeParams"):
        default_converter().structure(told, types.InitializeParams)  # type: ignore[no-untyped-call]
    assert tolerant_converter().structure(told, types.InitializeParams).trace == "loud"


def test_protocol_numbers_that_are_no_json_are_sent() -> None:
    server, sent = LanguageServer("plain", "1"), Sent()
    server.protocol.set_writer(sent)
    server.protocol.notify("a/b", {"number": float("inf")})
    assert "Infinity" in sent.text


def test_the_page_tells_the_version_that_is_tried_here() -> None:
    import importlib.metadata

    told = re.search(r"pygls (\d[\d.]*\d) was seen", README)
    assert told is not None
    assert importlib.metadata.version("pygls") == told[1]
