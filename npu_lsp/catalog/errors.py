"""What goes wrong with catalog files."""

from __future__ import annotations

from pathlib import Path


class CatalogError(ValueError):
    """A catalog file that can't be used. `line` is 1-based, `None` where it isn't known."""

    def __init__(self, path: Path, line: int | None, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.line = line
        self.message = message
        self.suggestion = suggestion

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        hint = f" ({self.suggestion})" if self.suggestion else ""
        return f"{where}: {self.message}{hint}"
