"""Readers: text in, settings out. One reader a syntax; each is imported when a file needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.languages.completion_context import CompletionContext
    from npu_lsp.languages.model import ParseResult
    from npu_lsp.text.document import Document


def read(document: Document) -> ParseResult:
    """Return what `document` sets. Never raises for what a text can hold."""
    from npu_lsp.languages.model import PARSE_RESULT, ParseResult

    known = PARSE_RESULT.known(document)
    if known is None:
        known = PARSE_RESULT.keep(document, _read(document) if _is_read(document) else ParseResult())
        document.before = None
    return known


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`, also where the text does not parse."""
    if not _is_read(document):
        return None
    found = cast("CompletionContext | None", _reader(document.kind)[1](document, offset))
    # In the middle of an escape, or in the signs of the text around a script, no place of the script is meant.
    return found if found is not None and found.typed == document.text[found.replace.start : offset] else None


def _is_read(document: Document) -> bool:
    language = BY_KIND.get(document.kind)
    return language is not None and (language.longest is None or len(document.text) <= language.longest)


def _read(document: Document) -> ParseResult:
    # The command in CI asks this package for trigger words first: what a reader finds is imported when one is called.
    from npu_lsp.languages.density import beginning, is_crowded
    from npu_lsp.languages.placeholders import without_placeholders
    from npu_lsp.languages.unread import bounded, unread

    if is_crowded(document):
        return unread(document, beginning(document))
    return bounded(without_placeholders(cast("ParseResult", _reader(document.kind)[0](document))), document)


@cache
def _reader(kind: Kind) -> tuple[Callable[..., object], Callable[..., object]]:
    """Return the `read` and the `cursor` of the reader for `kind`."""
    module = import_module(f"{__name__}.{BY_KIND[kind].reader}")
    return module.read, module.cursor
