"""Waits at an address for a client that speaks the protocol.

Any program of the machine may connect there, and any page in a browser have an HTTP request sent, whose headers hold a
`Content-Length` as ours do. So the place is given to whoever's first bytes are a header of the protocol and nothing else;
all others are sent away, and keep nobody waiting.
"""

from __future__ import annotations

import logging
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from npu_lsp.lsp.streams import Connection
from npu_lsp.text import lazy_re as re

_log = logging.getLogger(__name__)

_FIELD = re.compile(rb"content-(?:(?P<length>length[ \t]*:[ \t]*\d{1,12}[ \t]*)|type[ \t]*:[^\r\n]*)", re.IGNORECASE)
"""The protocol has these two. Source: LSP 3.17, "Header Part"."""
_START = b"content-"
_LONGEST_HEADER = 8_192
_PATIENCE = 30.0
"""Seconds for a whole header."""
_MOST = 32
"""Connections that wait at once; one more sends away the oldest."""


def listen(host: str, port: int, announce: Callable[[str, int], None], patience: float = _PATIENCE) -> Connection:
    """Wait for a client at `host` and `port` (0: any free one) and return it; `announce` is told the address.

    Each of those that connect has `patience` seconds to begin. Raises `OSError` when the address can't be used.
    """
    with socket.create_server((host, port)) as server, selectors.DefaultSelector() as ready:
        announce(*server.getsockname()[:2])
        ready.register(server, selectors.EVENT_READ)
        guests: list[_Guest] = []
        try:
            while True:
                left = max(0.0, min(guest.until for guest in guests) - monotonic()) if guests else None
                for key, _ in ready.select(left):
                    if key.data is not None:
                        key.data.hear()
                    elif (guest := _accepted(server, patience)) is not None:
                        guests.append(guest)
                        ready.register(guest.connection, selectors.EVENT_READ, guest)
                for guest in list(guests):
                    if guest.speaks is None and guest.until > monotonic() and guest in guests[-_MOST:]:
                        continue
                    ready.unregister(guest.connection)
                    guests.remove(guest)
                    if guest.speaks:
                        return guest.welcome()
                    guest.send_away()
        finally:
            for guest in guests:
                guest.connection.close()


class _Guest:
    """Somebody who has connected, and of whom it isn't known yet what they speak."""

    def __init__(self, connection: socket.socket, name: str, until: float) -> None:
        self.connection = connection
        self.until = until
        self.speaks: bool | None = None
        """Whether they speak the protocol, as far as that is known."""
        self._name = name
        self._begun = b""

    def hear(self) -> None:
        """Receive what the connection sent, and decide whether it begins as LSP does."""
        try:
            data = self.connection.recv(_LONGEST_HEADER)
        except OSError:
            data = b""
        self._begun += data
        self.speaks = begins_session(self._begun) if data else False

    def send_away(self) -> None:
        what = "something else than a header of the protocol" if self._begun else "nothing"
        _log.warning("%s sent %s first, and was disconnected", self._name, what)
        self.connection.close()

    def welcome(self) -> Connection:
        """Return the connection, from which what was heard can be read first."""
        connection, begun = self.connection, [self._begun]
        with suppress(OSError):  # it has gone, which is seen when it is read
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Connection(
            lambda size: begun.pop() if begun else connection.recv(size), connection.sendall, connection.close
        )


def begins_session(begun: bytes) -> bool | None:
    """Return whether what somebody sent first begins with a header of the protocol; `None` when it may still become one."""
    at, length = 0, False
    while (end := begun.find(b"\n", at)) >= 0:
        line = begun[at:end].removesuffix(b"\r")
        if not line:
            return length
        field = _FIELD.fullmatch(line)
        if field is None:
            return False
        length = length or field["length"] is not None
        at = end + 1
    rest = begun[at:].removesuffix(b"\r")
    if len(begun) > _LONGEST_HEADER or not _START.startswith(rest[: len(_START)].lower()):
        return False
    return None


def _accepted(server: socket.socket, patience: float) -> _Guest | None:
    try:
        connection, address = server.accept()
    except OSError:  # it has gone already
        return None
    return _Guest(connection, f"{address[0]}:{address[1]}", monotonic() + patience)
