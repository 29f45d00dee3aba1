"""Tells Python 2 from Python 3 by statements that only the old one takes."""

from __future__ import annotations

import re

from npu_lsp.languages.model import Fact, FactKind
from npu_lsp.languages.python.source import Source
from npu_lsp.text.spans import Span

# Each sign starts a statement; what follows it would not parse in Python 3.
_SIGNS = (
    ("print ", re.compile(r"print[ \t]+(?!(?:if|in|is|and|or|else)\b)(?:[\w\"'`]|>>)")),
    (
        "except",
        re.compile(
            r"except[ \t]+[\w.]+(?:\([^()]*\))?[ \t]*,[ \t]*\w+[ \t]*:|except[ \t]*\([^()]*\)[ \t]*,[ \t]*\w+[ \t]*:"
        ),
    ),
    ("exec ", re.compile(r"exec[ \t]+[\w\"']")),
    ("raise ", re.compile(r"raise[ \t]+[\w.]+[ \t]*,[ \t]*[\w\"']")),
)


def python2(source: Source) -> Fact | None:
    """Return the first sign that the file is Python 2."""
    text, logical_lines = source.text, source.logical_lines
    first: Span | None = None
    for word, pattern in _SIGNS:
        for offset in source.occurrences.substring(word):
            index = logical_lines.before(offset)
            if index < 0 or logical_lines.starts[index] != offset:
                continue
            found = pattern.match(text, offset)
            if found and (first is None or offset < first.start):
                first = Span(offset, found.end())
                break
    return Fact(FactKind.PYTHON2, first) if first is not None else None
