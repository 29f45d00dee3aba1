"""The file of `compression_optimize_conf`: `key: value` lines, some of them in a `calibration: { ... }`.

It looks like text protobuf, but a value is the rest of its line: `input_shape: data:32,3,224,224`.
"""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import proto_text
from npu_lsp.languages.config_formats.entries import blocks, comments, entry, lines, stripped, word
from npu_lsp.languages.model import ParseResult, Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_LINE = re.compile(r"(?P<key>[A-Za-z_]\w*)[ \t]*(?P<sign>[:{])[ \t]*")
_DEEPEST = 64


def read(document: Document) -> ParseResult:
    """Return one block with all keys; one in `calibration` has that in its name."""
    text = document.text
    settings: list[Setting] = []
    path: list[str] = []
    last = ""
    for _, span in lines(document):
        line = text[span.start : span.end]
        match = _LINE.match(text, span.start, span.end)
        if line.startswith("{") and last:
            path.append(last)
        elif line.startswith("}"):
            path = path[:-1]
        elif match is not None and len(path) < _DEEPEST:
            key = Span(*match.span("key"))
            last = match["key"]
            value_span = stripped(text, Span(match.end(), span.end))
            rest = text[value_span.start : value_span.end]
            opens = match["sign"] == "{" or rest.startswith("{")
            value = Value(ValueKind.DICT, span) if opens or not rest else word(document, value_span)
            settings.append(entry(Surface.COMPRESSION, ".".join((*path, last)), key, value, span))
            if opens:
                path.append(last)
    return ParseResult(blocks(Surface.COMPRESSION, [(settings, "")]), comments=comments(document))


cursor = partial(proto_text.cursor, surface=Surface.COMPRESSION, nested=True)
