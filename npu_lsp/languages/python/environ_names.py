"""Whether a text in Python is the name of an environment variable: told by what stands around its quotes."""

from __future__ import annotations

from npu_lsp.languages.python.source import source_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_NEAR = 60
"""Characters before and behind the name that tell."""
_BEFORE = re.compile(
    r"(?<![A-Za-z0-9_])(?P<how>getenvb?|putenv|unsetenv|environb?(?:\s{0,9}\.\s{0,9}(?:get|pop|setdefault|__setitem__))?)"
    r"\s{0,9}[\[(]\s{0,9}[bBrRuU]{0,2}(?P<quote>[\"'])\Z"
)
_ASSIGNED = re.compile(r"[\"']\s{0,9}\]\s{0,9}=(?!=)")
_SETTING = ("putenv", "setdefault", "__setitem__")


def use_of(document: Document, span: Span) -> bool | None:
    """Return whether the variable whose name stands at `span` gets a value there; `None`: it is no variable's name."""
    text, (start, end) = document.text, span
    before = _BEFORE.search(text, max(0, start - _NEAR), start)
    if before is None or text[end : end + 1] != before["quote"]:
        return None
    if source_of(document).logical_lines.at(before.start()) is None:
        return None  # a comment
    if before["how"].endswith(_SETTING):
        return True
    return "." not in before["how"] and _ASSIGNED.match(text, end, end + _NEAR) is not None
