"""What makes a text worth parsing."""

from __future__ import annotations

from npu_lsp.languages.python.triggers import is_of_interest
from npu_lsp.languages.shell.tools import names_any
from npu_lsp.languages.variable_names import names_variable

_WRITTEN = ("kubectl", ".yaml", ".yml")


def may_match(text: str) -> bool:
    """Tell whether a script is worth parsing; False is certain."""
    return names_any(text) or runs_python(text) or _writes_yaml(text)


def runs_python(text: str) -> bool:
    """Tell whether a script may hold Python that is worth parsing."""
    return "python" in text and is_of_interest(text)


def _writes_yaml(text: str) -> bool:
    """Tell whether a here-document may be YAML that gives variables to something."""
    return "<<" in text and any(word in text for word in _WRITTEN) and names_variable(text)
