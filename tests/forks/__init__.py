"""Processes that run `npu-lsp` without loading it anew; `server.py` tells how that is done.

What such a process does is what `python -m npu_lsp` does: with the same arguments, streams, folder, environment, exit code and
signals. It is no substitute where a test is about the start itself: what is loaded, a variable that the interpreter reads, a
stream that is closed, who the parent is. Such a test starts a process of its own.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

_BUFFER = "PYTHONUNBUFFERED"
_UTF_8 = "C.UTF-8"


def possible(environment: Mapping[str, str]) -> bool:
    """Return whether a process with that environment can be had: Linux is needed, and no word to the interpreter itself."""
    return hasattr(os, "pidfd_open") and all(
        environment.get(name) == os.environ.get(name)
        for name in {*environment, *os.environ}
        if name.startswith("PYTHON") and name != _BUFFER
    )


class Process:
    """A process that runs `npu-lsp`, with pipes to its streams; it has what tests need of `subprocess.Popen`."""

    def __init__(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], stdout: int | None = None
    ) -> None:
        """Start it; `stdout`: a descriptor that it writes to instead of a pipe of its own."""
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        if stdout is not None:
            os.close(theirs_out)
            theirs_out = os.dup(stdout)
        ours_err, theirs_err = os.pipe()
        ours, theirs = os.pipe()
        umask = os.umask(0)
        os.umask(umask)
        asked = {
            "arguments": list(arguments), "folder": os.fspath(folder), "environment": dict(environment), "umask": umask,
        }  # fmt: skip
        handed = [theirs_in, theirs_out, theirs_err, theirs]
        _server(_encoding(environment), environment.get(_BUFFER, "")).ask(asked, handed)
        for descriptor in handed:
            os.close(descriptor)
        self.stdin = open(ours_in, "wb")  # noqa: SIM115, PTH123 - as long as the process
        self.stdout = open(ours_out, "rb")  # noqa: SIM115, PTH123
        self.stderr = open(ours_err, "rb")  # noqa: SIM115, PTH123
        self._report = open(ours, "rb")  # noqa: SIM115, PTH123
        self.pid = int(self._report.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, `None` while it runs."""
        if self.returncode is None and select.select([self._report], [], [], 0)[0]:
            self.returncode = int(self._report.readline())
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code once there is one; raise `subprocess.TimeoutExpired`, in seconds."""
        if self.returncode is None and not select.select([self._report], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("npu-lsp", timeout or 0)
        code = self.poll()
        assert code is not None
        return code

    def send_signal(self, sign: signal.Signals) -> None:
        """Send a signal, unless the process is gone."""
        if self.poll() is None:
            os.kill(self.pid, sign)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, data: bytes, timeout: float) -> tuple[bytes, bytes]:
        """Write to stdin, and return what came of stdout and stderr; raise `subprocess.TimeoutExpired`, in seconds."""
        late = Timer(timeout, self.kill)
        late.start()
        with ThreadPoolExecutor(2) as beside:
            beside.submit(self._write, data)
            err = beside.submit(self.stderr.read)
            out = self.stdout.read()
        if late.finished.is_set() and self.wait() == -signal.SIGKILL:
            raise subprocess.TimeoutExpired("npu-lsp", timeout, out, err.result())
        late.cancel()
        self.wait()
        self.close()
        return out, err.result()

    def close(self) -> None:
        """Close all pipes."""
        for stream in (self.stdin, self.stdout, self.stderr, self._report):
            stream.close()

    def _write(self, data: bytes) -> None:
        # Who reads nothing and ends is not to blame.
        with suppress(BrokenPipeError):
            self.stdin.write(data)
        with suppress(BrokenPipeError):
            self.stdin.close()


def _encoding(environment: Mapping[str, str]) -> str:
    """Return the locale by which an interpreter that starts chooses its encoding: all of UTF-8 are one."""
    said = next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), _UTF_8)
    return _UTF_8 if said.lower().endswith(("utf-8", "utf8")) else said


class _Server:
    """A process that becomes commands, until these tests end; what is read when a process starts is there from its start."""

    def __init__(self, locale: str, buffer: str) -> None:
        self.link, theirs = socket.socketpair()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
        command = [sys.executable, str(Path(__file__).with_name("server.py")), str(theirs.fileno())]
        with theirs:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment, "LC_ALL": locale, _BUFFER: buffer},
                pass_fds=[theirs.fileno()],
            )

    def ask(self, asked: dict[str, Any], descriptors: Sequence[int]) -> None:
        """Have it become a command."""
        body = json.dumps(asked).encode()
        socket.send_fds(self.link, [len(body).to_bytes(8, "big")], descriptors)
        self.link.sendall(body)


@cache
def _server(locale: str, buffer: str) -> _Server:
    return _Server(locale, buffer)
