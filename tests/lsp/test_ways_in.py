"""How the server is started: over a network connection, with a log of its own."""

from __future__ import annotations

import json
import socket
import subprocess
from typing import Any

import pytest

from tests.lsp.wire import SERVE, Wire
from tests.patience import PATIENCE

BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
POST = b"POST / HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


def ended(connection: socket.socket) -> bool:
    """Wait for the end of a connection, and tell whether nothing was answered."""
    connection.settimeout(PATIENCE)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:  # it was ended before all was read
        return True


def test_over_tcp() -> None:
    """Whoever comes first and says nothing, or something else, has no part in it."""
    process = subprocess.Popen([*SERVE, "--tcp", "127.0.0.1:0"], stderr=subprocess.PIPE)
    try:
        assert process.stderr
        port = int(process.stderr.readline().rsplit(b":", 1)[1])
        silent = socket.create_connection(("127.0.0.1", port))
        with socket.create_connection(("127.0.0.1", port)) as browser:
            browser.sendall(POST)
            assert ended(browser)
        assert b"disconnected" in process.stderr.readline()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            stream = connection.makefile("rwb")
            for message in (
                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
                {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
                {"jsonrpc": "2.0", "method": "exit"},
            ):
                body = json.dumps(message).encode()
                stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            stream.flush()
            assert b'"capabilities"' in stream.read()
        assert process.wait(PATIENCE) == 0
        assert ended(silent)
        silent.close()
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("arguments", [["--tcp", "nonsense"], ["--tcp", "999.999.0.1:1"], ["--tcp", "127.0.0.1:99999"]])
def test_an_address_that_is_none(arguments: list[str]) -> None:
    done = subprocess.run([*SERVE, *arguments], capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


def test_a_log_file(tmp_path: Any) -> None:
    log = tmp_path / "server.log"
    with Wire((*SERVE, "--log-file", str(log), "--log-level", "debug")) as wire:
        wire.initialize()
        wire.send({"jsonrpc": "2.0", "method": "x\ud800y"})
        assert wire.leave() == 0
    text = log.read_text(encoding="utf-8")
    assert "serves" in text
    assert "nothing to do for" in text


def test_a_log_file_that_cannot_be(tmp_path: Any) -> None:
    done = subprocess.run(
        [*SERVE, "--log-file", str(tmp_path / "no" / "x")], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_log_file_on_a_full_disk() -> None:
    with Wire((*SERVE, "--log-file", "/dev/full", "--log-level", "debug")) as wire:
        wire.initialize()
        assert wire.leave() == 0
        assert wire.errors == []


def test_a_log_file_that_is_standard_output() -> None:
    with Wire((*SERVE, "--log-file", "/dev/stdout", "--log-level", "debug")) as wire:
        assert wire.initialize()["result"]["capabilities"]
        assert wire.leave() == 0
