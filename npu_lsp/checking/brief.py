"""How a line of the log looks on stderr."""

from __future__ import annotations

import logging

from npu_lsp.text.terminal import shown


class Brief(logging.Formatter):
    """A line for each message; of an exception only its last line, unless everything is wanted."""

    def __init__(self, verbose: bool) -> None:
        super().__init__("npu-lsp: %(levelname)s: %(message)s")
        self._verbose = verbose

    def format(self, record: logging.LogRecord) -> str:
        copy = logging.makeLogRecord(record.__dict__)
        copy.levelname = record.levelname.lower()
        if record.exc_info is None or record.exc_info[1] is None or self._verbose:
            return self._shown(copy)
        error = record.exc_info[1]
        copy.exc_info = copy.exc_text = None
        told = shown(f"{type(error).__name__}: {error}")
        return f"{self._shown(copy)}: {told} (--verbose says where; please report it)"

    def _shown(self, record: logging.LogRecord) -> str:
        """Return the message in one line, with nothing of a file's name that controls a terminal, and what it says of where."""
        record.msg, record.args = shown(record.getMessage()), None
        return super().format(record)
