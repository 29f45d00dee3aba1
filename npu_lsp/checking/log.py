"""The codes of errors in a log, and the options that its messages name.

A log may be larger than the memory: it is read in pieces, and of each code only the first message is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from npu_lsp.catalog.error_codes import SHAPE
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import COMMANDS, ENVIRONMENT, Surface

_PIECE = 1 << 20
"""Bytes that are read at a time; a line that is longer is cut there."""
_MOST = 500
"""Different messages that are kept."""
_LONGEST = 2000
"""Characters of a message."""
_FOLLOWING = 3
"""Lines behind a code that belong to its message while they are indented."""
_OTHER = (b"", b"TraceBack", b"Traceback")
"""What a line begins with that belongs to no message."""
_WORD = re.compile(r"--?[A-Za-z]\w*|[A-Za-z_][\w.]*\w")
_PARAMETER = re.compile(
    r"(?:parameter|variable|config(?:uration item)?|option|参数|环境变量) ?\[?\"?(?:--)?(?P<name>[A-Za-z_][\w.]*\w)"
)


class Named(NamedTuple):
    """An option that a message names."""

    surface: Surface
    name: str


class Mention(NamedTuple):
    """A code in a log, with the options that its message names."""

    code: str
    line: int
    """Of the first one, 1-based."""
    text: str
    """The message, with what of the next lines belongs to it."""
    named: tuple[Named, ...]
    times: int = 1
    """How often the log has the code with these options."""


class Log(NamedTuple):
    """What is in a log."""

    mentions: tuple[Mention, ...]
    """In the order of the log."""
    lines: int
    binary: bool = False
    """It isn't a text; nothing was read."""


class LogReader:
    """Finds what logs tell of errors."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        messages = catalog.error_codes.messages
        self._names = {f"m{number}": name for number, name in enumerate(messages)}
        # A name in one pattern can't stand in another one; it is looked for again in the message.
        forms = (f"(?P<m{number}>{form.replace('?P<name>', '?:')})" for number, form in enumerate(messages.values()))
        self._pattern = re.compile("|".join((SHAPE.pattern, *forms)).encode())

    def read(self, stream: BinaryIO) -> Log:
        """Return what a log holds, to its end. Raises `OSError`."""
        found: dict[tuple[str, tuple[Named, ...]], Mention] = {}
        lines, ended = 0, True
        for number, piece in enumerate(_pieces(stream)):
            if number == 0 and b"\0" in piece[:8192]:
                return Log((), 0, binary=True)
            counted, at = lines, 0
            for match in self._pattern.finditer(piece):
                code = self._names.get(match.lastgroup or "", match[0].decode("utf-8", "replace"))
                if self._catalog.error_codes.find(code) is None:
                    continue
                counted += piece.count(b"\n", at, match.start())
                at = match.start()
                self._note(found, code, counted + 1, _message(piece, match.start()))
            lines += piece.count(b"\n")
            ended = piece.endswith(b"\n")
        return Log(tuple(found.values()), lines if ended else lines + 1)

    def _note(self, found: dict[tuple[str, tuple[Named, ...]], Mention], code: str, line: int, text: str) -> None:
        named = tuple(dict.fromkeys((*self._spelled(code, text), *self._named(text))))
        known = found.get((code, named))
        if known is not None:
            found[code, named] = known._replace(times=known.times + 1)
        elif len(found) < _MOST:
            found[code, named] = Mention(code, line, text, named)

    def _spelled(self, code: str, text: str) -> Iterator[Named]:
        """Yield the option that a message without a code is about, as it is written: it may be one that nobody knows."""
        form = self._catalog.error_codes.messages.get(code, "")
        match = re.search(form, text) if "?P<name>" in form else None
        if match is not None:
            known = list(self._options(match["name"]))
            yield from known or (Named(each, match["name"]) for each in sorted(COMMANDS))

    def _named(self, text: str) -> Iterator[Named]:
        """Yield the options that a message names, as far as their spelling tells that an option is meant."""
        for match in _PARAMETER.finditer(text):
            yield from self._options(match["name"])
        for match in _WORD.finditer(text):
            word = match.group()
            name = word.lstrip("-")
            if word != name:
                yield from (Named(each, name) for each in COMMANDS if self._catalog.option(each, name))
            elif name.isupper() and "_" in name:
                yield from (Named(each, name) for each in ENVIRONMENT if self._catalog.option(each, name))
            elif name.startswith("ge.") and self._catalog.option(Surface.GE, name):
                yield Named(Surface.GE, name)

    def _options(self, name: str) -> Iterator[Named]:
        return (Named(surface, name) for surface in Surface if self._catalog.option(surface, name))


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the content in pieces that end with a line, as far as lines are shorter than a piece."""
    rest = b""
    while data := stream.read(_PIECE):
        data = rest + data
        end = data.rfind(b"\n") + 1 or len(data)
        yield data[:end]
        rest = data[end:]
    if rest:
        yield rest


def _message(piece: bytes, at: int) -> str:
    """Return the line of the piece with the place `at`, and the indented ones behind it."""
    start = max(piece.rfind(b"\n", 0, at) + 1, at - _LONGEST)
    end = _line_end(piece, at)
    for _ in range(_FOLLOWING):
        following = piece[end + 1 : _line_end(piece, end + 1)]
        if not following[:1].isspace() or following.strip()[:9] in _OTHER:
            break
        end += 1 + len(following)
    return " ".join(piece[start : min(end, start + 4 * _LONGEST)].decode("utf-8", "replace").split())[:_LONGEST]


def _line_end(piece: bytes, at: int) -> int:
    end = piece.find(b"\n", at)
    return len(piece) if end < 0 else end
