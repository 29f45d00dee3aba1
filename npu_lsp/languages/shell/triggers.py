"""What makes a text worth parsing."""

from __future__ import annotations

from npu_lsp.languages.python.triggers import is_of_interest
from npu_lsp.languages.shell.tools import names_any


def may_match(text: str) -> bool:
    """Tell whether a script is worth parsing; False is certain."""
    return names_any(text) or runs_python(text)


def runs_python(text: str) -> bool:
    """Tell whether a script may hold Python that is worth parsing."""
    return "python" in text and is_of_interest(text)
