"""How a line of the log looks on stderr."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import shown, shown_lines

_LEVELS = {
    "WARNING": Text("warning", "警告"),
    "ERROR": Text("error", "错误"),
    "DEBUG": Text("debug", "调试"),
    "INFO": Text("info", "信息"),
}
_WHERE = Text(
    en="{message}: {error} (--verbose says where; please report it)",
    zh="{message}：{error}（--verbose 可显示出错位置，请反馈）",
)


class Compact(logging.Formatter):
    """A line for each message; of an exception only its last line, unless everything is wanted."""

    def __init__(self, verbose: bool, language: Callable[[], Language]) -> None:
        super().__init__("npu-lsp: %(levelname)s: %(message)s")
        self._verbose = verbose
        self._language = language

    def format(self, record: logging.LogRecord) -> str:
        copy = logging.makeLogRecord(record.__dict__)
        level = _LEVELS.get(record.levelname)
        copy.levelname = level.to(self._language()) if level is not None else record.levelname.lower()
        if record.exc_info is None or record.exc_info[1] is None or self._verbose:
            return self._shown(copy)
        error = record.exc_info[1]
        copy.exc_info = copy.exc_text = None
        told = shown(f"{type(error).__name__}: {error}")
        return _WHERE.to(self._language()).format(message=self._shown(copy), error=told)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        return shown_lines(super().formatException(ei))

    def _shown(self, record: logging.LogRecord) -> str:
        """Return the message in one line, with nothing of a file's name that controls a terminal, and what it says of where."""
        record.msg, record.args = shown(record.getMessage()), None
        return super().format(record)
