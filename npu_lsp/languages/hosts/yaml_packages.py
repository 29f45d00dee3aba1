"""The packages that an environment of conda installs with pip: the list below `- pip:`."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.hosts.scalars import flow_scalar
from npu_lsp.languages.hosts.yaml_lines import ITEM
from npu_lsp.languages.model import Block
from npu_lsp.languages.requirements import known, may_require, requirement
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_PIP = re.compile(r"^(?P<indent>[ ]*)-[ ]+pip:[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_MOST = 500
"""Packages of one list."""


def packages(document: Document) -> Iterator[Block]:
    """Yield a block for each list: one command installs all of it."""
    text = document.text
    if "pip:" not in text or "dependencies:" not in text or not may_require(text):
        return
    for found in _PIP.finditer(text):
        first = document.line_of(found.start()) + 1
        settings = []
        for number in range(first, min(first + _MOST, document.line_count)):
            span = document.line_span(number)
            item = ITEM.fullmatch(text, *span)
            if item is None or len(item["indent"]) <= len(found["indent"]):
                if document.line_text(number).strip() and not document.line_text(number).lstrip().startswith("#"):
                    break
                continue
            scalar = flow_scalar(text, Span(*item.span("rest")))
            if scalar is not None and scalar.content is not None:
                settings.append(requirement(scalar.text, scalar.content, span, span))
        if one := known(settings):
            yield Block(0, Surface.PACKAGE, one[0].key, Span(one[0].own.start, one[-1].own.end), one)
