"""Tells whether a text still parses as well as it did: what a fix makes of a file is written only then."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable

from npu_lsp.languages import read
from npu_lsp.languages.registry import kinds
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_JSON = kinds(json=True)


def as_sound(before: Document, after: Document) -> bool:
    """Tell whether `after` parses at least as well as `before`, which it was made from."""
    if read(after).damaged and not read(before).damaged:
        return False
    if before.kind is Kind.PYTHON:
        return _same(_python, before, after)
    if before.kind is Kind.SHELL:
        return _shell(before, after)
    return before.kind not in _JSON or _same(_json, before, after)


def _same(probe: Callable[[Document], Hashable | None], before: Document, after: Document) -> bool:
    """Tell whether `after` has no error, or the one that `before` had."""
    error = probe(after)
    return error is None or error == probe(before)


def _python(document: Document) -> Hashable | None:
    """Return `None` for a text that parses, else the error with its line: the same one is no new one."""
    import ast

    from npu_lsp.languages.python.quiet import quietly

    try:
        with quietly():
            ast.parse(document.text.removeprefix("\ufeff"))
    except SyntaxError as error:
        return (error.msg, (error.text or "").strip())
    except (ValueError, RecursionError, MemoryError) as error:
        return type(error).__name__
    return None


def _shell(before: Document, after: Document) -> bool:
    """Tell whether a script has no more errors, and no more text in them than what was added."""
    from npu_lsp.languages.shell.faults import faults

    old, new = faults(before), faults(after)
    growth = max(0, len(after.text) - len(before.text))
    return new.number <= old.number and new.covered <= old.covered + growth


def _json(document: Document) -> Hashable | None:
    try:
        json.loads(document.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return "broken"
    return None
