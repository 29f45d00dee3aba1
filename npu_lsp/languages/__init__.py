"""Readers: text in, settings out. One reader a syntax; each is imported when a file needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.languages.model import Cursor, Reading
    from npu_lsp.text.document import Document

_MODULES = {
    Kind.PYTHON: "npu_lsp.languages.python",
    Kind.SHELL: "npu_lsp.languages.shell",
    Kind.MARKDOWN: "npu_lsp.languages.hosts.markdown",
    Kind.NOTEBOOK: "npu_lsp.languages.hosts.notebook",
    Kind.DOCKERFILE: "npu_lsp.languages.hosts.dockerfile",
    Kind.YAML: "npu_lsp.languages.hosts.yaml",
    Kind.MAKEFILE: "npu_lsp.languages.hosts.makefile",
}
_SIDECAR = "npu_lsp.languages.sidecar"


def read(document: Document) -> Reading:
    """Return what `document` sets. Never raises for what a text can hold."""
    known = document.memo.get("reading")
    if known is None:
        known = _judged(_reader(document.kind)[0](document)) if document.kind is not Kind.OTHER else _nothing()
        document.memo["reading"] = known
        document.forget_ancestor()
    return cast("Reading", known)


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`, also where the text does not parse."""
    if document.kind is Kind.OTHER:
        return None
    found = cast("Cursor | None", _reader(document.kind)[1](document, offset))
    # In the middle of an escape, or in the signs of the text around a script, no place of the script is meant.
    return found if found is not None and found.typed == document.text[found.replace.start : offset] else None


def _nothing() -> Reading:
    # The command in CI asks this package for trigger words first: what a reader finds is imported when one is called.
    from npu_lsp.languages.model import Reading

    return Reading()


def _judged(reading: object) -> Reading:
    from npu_lsp.languages.placeholders import without_placeholders

    return without_placeholders(cast("Reading", reading))


@cache
def _reader(kind: Kind) -> tuple[Callable[..., object], Callable[..., object]]:
    """Return the `read` and the `cursor` of the reader for `kind`."""
    module = import_module(_MODULES.get(kind, _SIDECAR))
    return module.read, module.cursor
