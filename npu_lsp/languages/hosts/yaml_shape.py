"""Which mapping of a YAML file is an environment, whatever its key is called: its names and its shape tell."""

from __future__ import annotations

import re

from npu_lsp.languages.hosts.yaml_lines import ENTRY
from npu_lsp.languages.shell.variables import is_variable
from npu_lsp.text.document import Document

_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_WORD = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_NO_SCALAR = frozenset("{[|>&*!")
_MERGED = "<<:"
_MOST_LINES = 60


def may_hold_environment(text: str) -> bool:
    """Tell whether a key of the text is a variable worth reading."""
    return any(is_variable(name) for name in set(_WORD.findall(text)))


def is_environment(document: Document, line: int, column: int) -> bool:
    """Tell whether the mapping from `line` on, below a key at `column`, is one.

    It holds nothing but scalars under names of variables, of which one is known.
    """
    own: int | None = None
    known = False
    for number in range(line, min(line + _MOST_LINES, document.line_count)):
        span = document.line_span(number)
        written = document.text[span.start : span.end]
        indent = len(written) - len(written.lstrip(" "))
        if not written.strip() or written.lstrip().startswith(("#", _MERGED)):
            continue
        if indent <= column:
            break
        own = indent if own is None else own
        entry = ENTRY.fullmatch(document.text, span.start, span.end)
        if entry is None or entry["dashes"] or indent != own:
            return False
        name, rest = entry["key"].strip("\"'"), entry["rest"]
        if not _NAME.fullmatch(name) or not rest or rest[0] in _NO_SCALAR:
            return False
        known = known or is_variable(name)
    return known
