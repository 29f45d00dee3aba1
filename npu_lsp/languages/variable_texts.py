"""Values of variables that must be texts, where their taker refuses what is none.

Sources: `value` of EnvVar in the reference of Kubernetes' API is a string, and kubectl sends what YAML reads; Ray's
`parse_and_validate_env_vars` in `python/ray/_private/runtime_env/validation.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding, ValueKind
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.spans import Edit, Span

NUMBERS = frozenset({ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL})
"""Kinds of values that people write for a variable without quotes."""


def no_text(
    name: str, span: Span, given: str, text: str | None, taker: Literal["kubernetes", "ray"]
) -> Iterator[SyntaxFinding]:
    """Yield what is wrong with `given`, the value of a variable at `span`; `text` takes its place: `None` where nobody knows which."""
    if is_variable(name):
        edits = (Edit(span, text),) if text is not None else ()
        yield SyntaxFinding(SyntaxFault.WRONG_TYPE, span, {"name": name, "taker": taker, "given": given}, edits)
