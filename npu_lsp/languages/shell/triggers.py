"""What makes a text worth parsing."""

from __future__ import annotations

from npu_lsp.languages import triggers
from npu_lsp.languages.shell.tools import names_any
from npu_lsp.languages.variable_names import names_variable
from npu_lsp.text.kinds import Kind

_WRITTEN = ("kubectl", ".yaml", ".yml")


def may_match(text: str) -> bool:
    """Tell whether a script is worth parsing; False is certain."""
    return names_any(text) or runs_python(text) or _writes_yaml(text)


def runs_python(text: str) -> bool:
    """Tell whether a script may hold Python that is worth parsing."""
    return "python" in text and triggers.may_match(Kind.PYTHON, text)


def _writes_yaml(text: str) -> bool:
    """Tell whether a here-document may be YAML that gives variables to something."""
    return "<<" in text and any(word in text for word in _WRITTEN) and names_variable(text)
