"""Where the log goes: to the client's log while there is a client, to standard error before, to a file on request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LOGGERS = ("npu_lsp", "pygls")


class ClientHandler(logging.Handler):
    """Sends records as `window/logMessage`. Nothing pops up in the editor."""

    def __init__(self, notify: Callable[[str, Any], None], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._notify = notify
        self._loop = loop
        self._busy = False

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record, unless sending is what it is about."""
        message = {"type": _type(record.levelno).value, "message": self.format(record)}
        with suppress(RuntimeError):  # the loop is closed: there is no client any more
            self._loop.call_soon_threadsafe(lambda: self._send(message))

    def _send(self, message: dict[str, Any]) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            self._notify(types.WINDOW_LOG_MESSAGE, message)
        finally:
            self._busy = False


class _LogFile(logging.FileHandler):
    """A log on a disk. One that is full ends nothing, and what it refuses is told to nobody else."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Drop a record that can't be written: a log must not stop the server."""


def start_logging(level: str, file: Path | None) -> logging.Handler:
    """Log to standard error, and to `file` where one is given; return the handler for standard error.

    Raises `OSError` when the file can't be written.
    """
    early = logging.StreamHandler()
    early.setLevel(logging.WARNING)
    handlers: list[logging.Handler] = [early]
    if file is not None:
        # A lone surrogate of the client's must not end the log.
        handlers.append(_LogFile(file, encoding="utf-8", errors="backslashreplace"))
    for handler in handlers:
        handler.setFormatter(logging.Formatter(_FORM))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.setLevel(level.upper() if name == "npu_lsp" else logging.WARNING)
        for handler in handlers:
            logger.addHandler(handler)
    return early


def hand_over(early: logging.Handler, to: logging.Handler) -> None:
    """Log to the client from now on, and no longer to standard error: editors show both in one place."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.removeHandler(early)
        logger.addHandler(to)


def _type(level: int) -> types.MessageType:
    if level >= logging.ERROR:
        return types.MessageType.Error
    if level >= logging.WARNING:
        return types.MessageType.Warning
    return types.MessageType.Info if level >= logging.INFO else types.MessageType.Log
