"""How bad a finding is. A module of its own, since the command in CI needs it before anything is read."""

from __future__ import annotations

from enum import Enum


class Severity(str, Enum):
    """How bad a finding is."""

    ERROR = "error"
    """The tool stops, or does something else than the file says."""
    WARNING = "warning"
    """It works, but not for long, or not as well as the file hopes."""
    INFO = "info"
    HINT = "hint"

    @property
    def rank(self) -> int:
        """Return 0 for an error, and more for what is less bad."""
        return list(Severity).index(self)
