"""Functions of `torch.npu` and modules of `torch_npu` that Python names with a slip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.torch_calls import meant_call
from npu_lsp.languages.innermost import texts
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_NAMED = re.compile(
    r"(?P<owner>torch(?<![\w.]torch)(?:\.npu|_npu(?:\.npu)?))\.(?P<name>[A-Za-z]\w{5,60})(?!\w)(?![ \t]{0,9}=(?!=))"
)
"""What must not stand before is asked behind the first letters, so that these are looked for first."""


class Miscall(NamedTuple):
    """One place of a text."""

    owner: str
    span: Span
    near: str
    """What was meant."""


@Memoized
def miscalled(document: Document) -> tuple[Miscall, ...]:
    """Return such names in a text, and in the texts in it."""
    if not any(meant_call(match["name"]) for match in _NAMED.finditer(document.text)):
        return ()
    found = (
        each._replace(span=span)
        for place in texts(document)
        if place.document.kind is Kind.PYTHON
        for each in _own(place.document)
        if (span := place.content(each.span)) is not None
    )
    return tuple(dict.fromkeys(found))


def _own(document: Document) -> Iterator[Miscall]:
    for match in _NAMED.finditer(document.text):
        near = meant_call(match["name"])
        line = document.line_span(document.line_of(match.start())) if near is not None else None
        if near is not None and line is not None and "#" not in document.text[line.start : match.start()]:
            yield Miscall(match["owner"], Span(*match.span("name")), near)
