"""Readers: text in, settings out. One reader a syntax; each is imported when a file needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.languages.model import Reading
    from npu_lsp.languages.wanted import Cursor
    from npu_lsp.text.document import Document


def read(document: Document) -> Reading:
    """Return what `document` sets. Never raises for what a text can hold."""
    from npu_lsp.languages.model import READING, Reading

    known = READING.known(document)
    if known is None:
        known = READING.keep(document, _read(document) if _is_read(document) else Reading())
        document.before = None
    return known


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`, also where the text does not parse."""
    if not _is_read(document):
        return None
    found = cast("Cursor | None", _reader(document.kind)[1](document, offset))
    # In the middle of an escape, or in the signs of the text around a script, no place of the script is meant.
    return found if found is not None and found.typed == document.text[found.replace.start : offset] else None


def _is_read(document: Document) -> bool:
    language = BY_KIND.get(document.kind)
    return language is not None and (language.longest is None or len(document.text) <= language.longest)


def _read(document: Document) -> Reading:
    # The command in CI asks this package for trigger words first: what a reader finds is imported when one is called.
    from npu_lsp.languages.density import beginning, is_crowded
    from npu_lsp.languages.placeholders import without_placeholders
    from npu_lsp.languages.unread import bounded, unread

    if is_crowded(document):
        return unread(document, partly=beginning(document) is not None)
    return bounded(without_placeholders(cast("Reading", _reader(document.kind)[0](document))), document)


@cache
def _reader(kind: Kind) -> tuple[Callable[..., object], Callable[..., object]]:
    """Return the `read` and the `cursor` of the reader for `kind`."""
    module = import_module(f"{__name__}.{BY_KIND[kind].reader}")
    return module.read, module.cursor
