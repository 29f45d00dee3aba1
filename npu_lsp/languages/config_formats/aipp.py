"""The file of `insert_op_conf`: an `aipp_op { ... }` for each input that is pre-processed; each is a block."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import proto_syntax, proto_text
from npu_lsp.languages.config_formats.entries import block, comments
from npu_lsp.languages.model import ParseResult, Setting
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document

_OURS = re.compile(r"\baipp_(?:op|mode)\b", re.ASCII)
"""Other configuration of image models lies about in files with such names, too."""


def read(document: Document) -> ParseResult:
    """Return a block for each `aipp_op`."""
    groups: dict[int, list[Setting]] = {}
    for field in proto_text.fields(document):
        groups.setdefault(field.message, []).append(proto_text.setting(Surface.AIPP, field.name, field))
    blocks = tuple(block(i, Surface.AIPP, group[0].key, group) for i, group in enumerate(groups.values()))
    syntax = proto_syntax.syntax_findings(document, "aipp_op") if _OURS.search(document.text) else ()
    return ParseResult(blocks, syntax, comments(document), damaged=bool(syntax))


cursor = partial(proto_text.cursor, surface=Surface.AIPP, nested=False)
