"""What stands around a place that says something of it: a test, a statement that is meant to fail, the tool's own package."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.languages.embedding import regions
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived
from npu_lsp.text.kinds import Kind
from npu_lsp.text.words import Words

_FAILS = re.compile(r"[ \t]*(?:async[ \t]+)?with\b.*\b(?:assertRaises\w*|assertWarns\w*|raises|warns)[ \t]*\(")
_TEST = re.compile(r"[ \t]*(?:async[ \t]+)?def[ \t]+test")
_WORDS = Words(("assertRaises", "assertWarns", "raises", "warns"))
_PACKAGES = frozenset({"npu_bridge", "npu_device"})
"""The packages of TF Adapter, whose own code hands on what its own version reads."""
_MOST = 300
"""Lines above a place that are looked at."""


@Derived
def _expects(document: Document) -> bool:
    return bool(_WORDS.places(document.text))


@Derived
def _has_tests(document: Document) -> bool:
    return "def test" in document.text


def is_meant_to_fail(document: Document, at: int) -> bool:
    """Tell whether the statement at `at`, a code point, is one that a test expects to raise or to warn."""
    return _expects(document) and any(_FAILS.match(header) for header in _headers(document, at))


def is_in_test(document: Document, at: int) -> bool:
    """Tell whether the statement at `at`, a code point, stands in a function that is a test."""
    return _has_tests(document) and any(_TEST.match(header) for header in _headers(document, at))


def is_of_adapter(path: str) -> bool:
    """Tell whether a file is one of TF Adapter's own."""
    return not _PACKAGES.isdisjoint(path.replace("\\", "/").split("/"))


def _headers(document: Document, at: int) -> Iterator[str]:
    """Yield the lines of Python above that are indented less and less, from the inside out."""
    if document.kind is not Kind.PYTHON:
        inner = next(((r.document, i) for r in regions(document) if (i := r.inner(at)) is not None), None)
        if inner is not None:
            yield from _headers(*inner)
        return
    line = document.line_of(at)
    depth = _depth(document.line_text(line))
    for above in range(line - 1, max(-1, line - 1 - _MOST), -1):
        text = document.line_text(above)
        if text.strip() and _depth(text) < depth:
            depth = _depth(text)
            yield text


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))
