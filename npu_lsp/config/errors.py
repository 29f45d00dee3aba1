"""What goes wrong with a configuration, and what of its files may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.text.bilingual import Language, Said, Text, remark
from npu_lsp.text.links import behind_link, is_link

_SOURCES = {"command line": "命令行", "editor settings": "编辑器设置"}
"""What else than a file a key comes from, in Chinese."""


class ConfigProblem(NamedTuple):
    """One mistake in a configuration."""

    source: Path | str
    """The file, or what else the key came from: `--config`, `editor settings`."""
    line: int | None
    """1-based; `None` where it isn't known."""
    message: Said
    suggestion: Said | None = None
    word: str | None = None
    """The one of several words of a key that is wrong."""
    warning: bool = False
    """True: the configuration can be used all the same."""

    def __str__(self) -> str:
        return self.told("en")

    def told(self, language: Language) -> str:
        """Return where it is and what is wrong there."""
        source = str(self.source) if language == "en" else _SOURCES.get(str(self.source), str(self.source))
        where = f"{source}:{self.line}" if self.line else source
        colon = "：" if source != str(self.source) else ": "
        return f"{where}{colon}{remark('', self.message, self.suggestion, language)}"


class ConfigError(ValueError):
    """A configuration that can't be used. The message has a line for each problem."""

    def __init__(self, problems: Sequence[ConfigProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


NOT_SHOWN = Text(
    "can't be used; since a link or a folder of Git is on the way to it, nothing of its content is shown",
    "无法使用；由于其路径中包含链接或 Git 目录，不显示文件内容",
)


def is_hidden(path: Path, start: Path | None) -> bool:
    """Return whether a link or a folder of Git is on the way to `path` from `start`, the folder of what names it."""
    return is_link(str(path)) or (start is not None and behind_link(path, start))
