"""Writes reports: to the terminal in its encoding, everywhere else in UTF-8."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from npu_lsp.text.links import is_link

_STREAMS = ("/dev/", "/proc/")
"""Where links stand for what a process has open."""


def write_out(pieces: Iterable[str], stream: TextIO | None = None) -> None:
    """Write to stdout, or to `stream`; raise `OSError` where that isn't possible.

    Characters that a terminal can't show are escaped; elsewhere it is UTF-8 whatever the locale. A reader that goes away
    (`| head`) has what it wants: the command goes on to its exit code.
    """
    stream = stream or sys.stdout
    encoding = (stream.encoding or "utf-8") if stream.isatty() else "utf-8"
    write_bytes((piece.encode(encoding, "backslashreplace") for piece in pieces), stream)


def write_bytes(pieces: Iterable[bytes], stream: TextIO) -> None:
    """Write to `stream` what is encoded already, as `write_out` does."""
    try:
        stream.flush()
        for piece in pieces:
            stream.buffer.write(piece)
        stream.buffer.flush()
    except OSError as error:
        lead_nowhere(stream)
        if not isinstance(error, BrokenPipeError):
            raise


def lead_nowhere(stream: TextIO) -> None:
    """Throw away what goes where `stream` leads from now on, and what waits there: Python would complain of it at its end."""
    gone = os.fstat(stream.fileno())
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for each in (sys.stdout, sys.stderr):
        if os.path.samestat(os.fstat(each.fileno()), gone):
            os.dup2(nowhere, each.fileno())
    os.close(nowhere)


def write_file(path: str, pieces: Iterable[str]) -> None:
    """Put a report in place of the file at `path`, at once; raise `OSError` where that isn't possible."""
    from npu_lsp.checking.writing import replace_or_create

    data = "".join(pieces).encode("utf-8", "backslashreplace")
    if is_link(path) and os.path.isfile(path) and not os.path.abspath(path).startswith(_STREAMS):
        raise OSError(errno.ELOOP, "is a link; name the file that it leads to", path)
    if os.path.exists(path) and not os.path.isfile(path):
        # A device or a pipe can't be replaced.
        Path(path).write_bytes(data)
        return
    try:
        replace_or_create(os.path.realpath(path), data)
    except OSError as error:
        # The name that the report has while it is written tells nobody anything.
        raise OSError(error.errno, error.strerror, path) from error
