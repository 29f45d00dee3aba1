"""Which files a configuration may use and not quote: what is wrong in a file says what stands in it."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.text.bilingual import Text
from npu_lsp.text.links import behind_link, is_link

NOT_SHOWN = Text(
    "can't be used; since a link or a folder of Git is on the way to it, nothing of its content is shown",
    "无法使用；由于其路径中包含链接或 Git 目录，不显示文件内容",
)


def is_hidden(path: Path, start: Path | None) -> bool:
    """Tell whether a link or a folder of Git is on the way to `path` from `start`, the folder of what names it."""
    return is_link(str(path)) or (start is not None and behind_link(path, start))
