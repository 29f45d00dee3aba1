"""What may be wrong on purpose, or is right for its own version: what stands in a test, what is meant to fail, the tool's own files."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.injections import regions
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_FAILS = re.compile(r"[ \t]*(?:async[ \t]+)?with\b.*\b(?:assertRaises\w*|assertWarns\w*|raises|warns)[ \t]*\(")
_TEST = re.compile(r"[ \t]*(?:async[ \t]+)?def[ \t]+test")
_WORDS = ("aises", "arns")
"""What these have in common: each word is looked for in the whole text."""
_PACKAGES = frozenset({"npu_bridge", "npu_device"})
"""The packages of TF Adapter, whose own code hands on what its own version reads."""
_MOST_DECORATORS = 20
_UNIT_TESTS = frozenset({"ut", "unittest", "unittests", "unit_test", "unit_tests"})
"""Folders of unit tests, whose files are wrong on purpose as often as not."""
_INSTALLED = frozenset({"ascend-toolkit", "nnal", "nnae", "nnrt"})
_SCRIPTS = ("/set_env.sh", "/setenv.bash")
"""What an installation of CANN has of its own, right for its version."""
_MOST = 300
"""Lines above a place that are looked at."""


@Memoized
def _expects(document: Document) -> bool:
    return any(word in document.text for word in _WORDS)


@Memoized
def _has_tests(document: Document) -> bool:
    return "def test" in document.text


def is_meant_to_fail(document: Document, at: int) -> bool:
    """Return whether the statement at `at`, a code point, is one that a test expects to raise or to warn."""
    return _expects(document) and any(_FAILS.match(header) for header in _headers(document, at))


def is_in_test(document: Document, at: int) -> bool:
    """Return whether the statement at `at`, a code point, stands in a function that is a test, or in what unit tests read."""
    if not _UNIT_TESTS.isdisjoint(document.path.replace("\\", "/").split("/")[:-1]):
        return True
    return _has_tests(document) and any(_TEST.match(header) for header in _headers(document, _decorated(document, at)))


def _decorated(document: Document, at: int) -> int:
    """Return where the body of a function begins whose decorator stands at `at`; of anything else, `at` itself."""
    line = document.line_of(at)
    last = min(document.line_count, line + _MOST_DECORATORS)
    while line + 1 < last and document.line_text(line).lstrip().startswith("@"):
        line += 1
        if _TEST.match(document.line_text(line)):
            return document.line_starts[line + 1] if line + 1 < document.line_count else at
    return at


def is_of_tool(path: str) -> bool:
    """Return whether a file is one of TF Adapter's own, or a script that an installation of CANN brings along."""
    path = path.replace("\\", "/")
    parts = path.split("/")
    return not _PACKAGES.isdisjoint(parts) or (path.endswith(_SCRIPTS) and not _INSTALLED.isdisjoint(parts))


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
            # What closes the parentheses of a header stands where that begins.
            depth = _depth(text) + text.lstrip().startswith(")")
            yield text


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))
