"""Tells a client how far something is that takes its time."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.session import Session
from npu_lsp.text.bilingual import Text

_TITLE = Text("npu-lsp: listing the settings of the workspace", "npu-lsp：正在查找工作区中的配置")
SCANNING = Text("npu-lsp: looking at the workspace", "npu-lsp：正在检查工作区")
_FILES = Text("{count} file{s}", "{count} 个文件")
_OF = Text("{count} of {total} files", "{count} / {total} 个文件")


class Progress:
    """Tells a client how far that is which it knows by a token; without one it wants to hear nothing."""

    def __init__(self, session: Session, token: int | str | None, title: Text = _TITLE) -> None:
        self._session = session
        self._token = token
        self._title = title
        self._language = session.projects.find("").language
        self._told = 0

    def begin(self) -> None:
        """Say what is done."""
        self._say(kind="begin", title=self._title.to(self._language), cancellable=True)

    def report(self, count: int) -> None:
        """Say how many files were looked at, now and then."""
        if count >= self._told + 500:
            self._told = count
            self._say(kind="report", message=_FILES.many(count, self._language))

    def part(self, count: int, total: int) -> None:
        """Say how many files of how many were looked at, now and then."""
        if count >= self._told + 50 and total:
            self._told = count
            said = _OF.to(self._language).format(count=count, total=total)
            self._say(kind="report", message=said, percentage=100 * count // total)

    def end(self) -> None:
        """Say that it is done."""
        self._say(kind="end")

    def _say(self, **value: object) -> None:
        if self._token is not None:
            self._session.notify(types.PROGRESS, {"token": self._token, "value": value})
