"""What goes wrong with catalog files."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.text.bilingual import Said, remark


class CatalogError(ValueError):
    """A catalog file that can't be used. `line` is 1-based, `None` where it isn't known."""

    def __init__(self, path: Path, line: int | None, message: Said, suggestion: Said | None = None) -> None:
        super().__init__(str(message))
        self.path = path
        self.line = line
        self.message = message
        self.suggestion = suggestion

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {remark('', self.message, self.suggestion, 'en')}"
