"""How text looks on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from npu_lsp.linter.severity import Severity

_SEVERITIES = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36", Severity.HINT: "1;36"}


class Style(NamedTuple):
    """Colours or none, and the room there is."""

    colour: bool = False
    columns: int | None = None
    """Cells of a line of the terminal; `None` where it is none, and lines may be as long as they like."""

    def bold(self, text: str) -> str:
        """Return `text` in bold."""
        return self._in("1", text)

    def dim(self, text: str) -> str:
        """Return `text` in the colour of what frames other things."""
        return self._in("36", text)

    def blue(self, text: str) -> str:
        """Return `text` in the colour of line numbers."""
        return self._in("1;34", text)

    def red(self, text: str) -> str:
        """Return `text` as what goes away in a diff."""
        return self._in("31", text)

    def green(self, text: str) -> str:
        """Return `text` as what comes new in a diff."""
        return self._in("32", text)

    def severity(self, severity: Severity, text: str) -> str:
        """Return `text` in the colour of how bad it is."""
        return self._in(_SEVERITIES[severity], text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def wants_colour(choice: str, terminal: bool, environment: Mapping[str, str]) -> bool:
    """Return whether to write in colour: `--color`, else `NO_COLOR`, `FORCE_COLOR`, `TERM`, else whether it is a terminal.

    Source: https://no-color.org, https://force-color.org.
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return terminal and environment.get("TERM") != "dumb"
