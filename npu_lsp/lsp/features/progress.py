"""Tells a client how far a request of its is."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.lsp.session import Session
from npu_lsp.text.bilingual import Text

_TITLE = Text("npu-lsp: listing the settings of the workspace", "npu-lsp：正在查找工作区中的配置")
_FILES = Text("{count} file{s}", "{count} 个文件")


class Progress:
    """Tells a client that has asked with a token how far its request is."""

    def __init__(self, session: Session, token: int | str | None) -> None:
        self._session = session
        self._token = token
        self._language = session.projects.find("").language
        self._told = 0

    def begin(self) -> None:
        """Say what is done."""
        self._say(kind="begin", title=_TITLE.to(self._language), cancellable=True)

    def report(self, count: int) -> None:
        """Say how many files were looked at, now and then."""
        if count >= self._told + 500:
            self._told = count
            self._say(kind="report", message=_FILES.many(count, self._language))

    def end(self) -> None:
        """Say that it is done."""
        self._say(kind="end")

    def _say(self, **value: object) -> None:
        if self._token is not None:
            self._session.notify(types.PROGRESS, {"token": self._token, "value": value})
