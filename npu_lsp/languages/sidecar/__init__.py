"""Readers of the files that options point to: one format a module, each imported when a file needs it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, cast

from npu_lsp.languages.model import Cursor, Reading
from npu_lsp.languages.sidecar.entries import LONGEST
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_MODULES = {
    Kind.OP_PRECISION: "op_precision",
    Kind.OP_CACHE: "op_cache",
    Kind.MIXLIST: "mixlist",
    Kind.CUSTOMIZE_DTYPES: "customize_dtypes",
    Kind.KEEP_DTYPE: "keep_dtype",
    Kind.FUSION_SWITCH: "fusion_switch",
    Kind.OP_DEBUG: "op_debug",
    Kind.COMPRESSION: "compression",
    Kind.SINGLE_OP: "single_op",
    Kind.GE_OPTIONS: "ge_options",
    Kind.AIPP: "aipp",
}


class _Format(Protocol):
    def read(self, document: Document) -> Reading: ...

    def cursor(self, document: Document, offset: int) -> Cursor | None: ...


def read(document: Document) -> Reading:
    """Return what `document` sets; nothing for a file that is larger than any configuration."""
    form = _format(document.kind)
    if form is None or len(document.text) > LONGEST:
        return Reading()
    return form.read(document)


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`."""
    form = _format(document.kind)
    if form is None or len(document.text) > LONGEST:
        return None
    return form.cursor(document, offset)


@cache
def _format(kind: Kind) -> _Format | None:
    name = _MODULES.get(kind)
    return cast("_Format", import_module(f"{__name__}.{name}")) if name else None
