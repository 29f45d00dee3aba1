"""What the client sent and nobody has looked at yet.

A thread of its own reads, so that a busy server still hears the client: a request that is cancelled while it
waits is never begun, and what can wait knows that more is to come.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

from npu_lsp.text import lazy_re as re

Read = Callable[[int], bytes]
"""Returns up to so many bytes, none at the end."""

_CHUNK = 1 << 18
_LONGEST_WRITE = 10.0
"""Seconds that one message may take when the client has gone."""
_END = object()
"""Comes behind the last message."""


class Unreadable:
    """Stands for a message that is not JSON."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


_log = logging.getLogger(__name__)

_HEADER_END = re.compile(rb"\r?\n\r?\n")
# Not only at the start of a line: behind a body of the wrong length, the next header follows without a break.
_LENGTH = re.compile(rb"(?<![\w-])content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_LONGEST_HEADER = 8_192
_LONGEST_BODY = 1 << 30


class Framer:
    """Cuts what arrives into messages; pieces may end anywhere."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        """How long the body is that comes next; `None` while its header isn't complete."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies that are complete with `data`.

        What is no header is logged and left out, up to the next thing that looks like one.
        """
        self._buffer += data
        bodies: list[bytes] = []
        while True:
            if self._length is None and not self._header():
                return bodies
            length = self._length
            if length is None:
                continue
            if len(self._buffer) < length:
                return bodies
            bodies.append(bytes(self._buffer[:length]))
            del self._buffer[:length]
            self._length = None

    def _header(self) -> bool:
        """Take one header from the buffer; tell whether there was a whole one."""
        end = _HEADER_END.search(self._buffer)
        if end is None:
            if len(self._buffer) > _LONGEST_HEADER:
                self._skip(len(self._buffer) - len(b"content-length"))
            return False
        found = _LENGTH.search(self._buffer, 0, end.start() + 1)
        if found is None or int(found[1]) > _LONGEST_BODY:
            self._skip(end.end())
            return True
        self._length = int(found[1])
        del self._buffer[: end.end()]
        return True

    def _skip(self, count: int) -> None:
        _log.warning("%d bytes came in that are no message", count)
        del self._buffer[:count]


class Inbox:
    """Takes messages from the reading thread and hands them, one at a time and in order, to the event loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, handle: Callable[[Any], None], ended: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._handle = handle
        self._ended = ended
        self._waiting: deque[Any] = deque()
        self._awake = False
        self._handled = 0
        self._over = Event()
        self.cancelled: set[Any] = set()
        """The ids of requests whose cancellation has arrived and has not been handled yet."""

    @property
    def pending(self) -> bool:
        """Whether messages have arrived that nobody has taken yet."""
        return bool(self._waiting)

    def start(self, read: Read) -> None:
        """Start the thread that reads messages."""
        # A daemon: at the end of the process nobody waits for a client that says nothing more.
        Thread(target=self._read, args=(read,), name="npu-lsp-reader", daemon=True).start()

    def _read(self, read: Read) -> None:
        framer = Framer()
        with suppress(OSError):  # a connection that breaks has ended
            while data := read(_CHUNK):
                for body in framer.feed(data):
                    self._put(_decoded(body))
        self._put(_END)
        self._watch()

    def _watch(self) -> None:
        """End the process where the loop gets no further: it waits for a client that has gone to read, for ever."""
        handled = -1
        while not self._over.wait(_LONGEST_WRITE) and not self._loop.is_closed():
            if handled == self._handled:
                os._exit(1)
            handled = self._handled

    def _put(self, message: Any) -> None:
        # Only a notification is handled as a cancellation, which takes the id out again.
        if isinstance(message, dict) and message.get("method") == "$/cancelRequest" and "id" not in message:
            params = message.get("params")
            if isinstance(params, dict) and isinstance(params.get("id"), (str, int)):
                self.cancelled.add(params["id"])
        self._waiting.append(message)
        if not self._awake:
            self._awake = True
            self._call(self._next)

    def _call(self, callback: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server has stopped
            self._loop.call_soon_threadsafe(callback)

    def _next(self) -> None:
        self._awake = False
        if not self._waiting:
            return
        message = self._waiting.popleft()
        self._handled += 1
        if message is _END:
            self._over.set()
            self._ended()
            return
        try:
            self._handle(message)
        finally:
            # One message a turn: what this one has begun comes before what the next one changes.
            if self._waiting and not self._awake:
                self._awake = True
                self._loop.call_soon(self._next)


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        return Unreadable(str(error) or type(error).__name__)
