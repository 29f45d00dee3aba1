"""Messages out of a stream of bytes: `Content-Length` headers, then that many bytes of JSON."""

from __future__ import annotations

import logging
import re

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
