"""What is selected step by step around a place in a setting: a part of the value, the value, the setting, the statement."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.spans import Span

_SEPARATORS = (";", " ", ":", ",", "|")
"""What values are divided by, from the outermost on: `a:1,3;b:1,2`."""
_TEXTS = frozenset({ValueKind.STRING, ValueKind.BYTES, ValueKind.WORD})


def selection(view: DocumentView, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    """Answer a chain of ranges for each position, from the inside out; where no setting stands, the position itself."""
    return [_chain(view, view.source.offset(position)) for position in params.positions]


def _chain(view: DocumentView, offset: int) -> types.SelectionRange:
    spans = [Span(offset, offset)]
    setting = _setting(view, offset)
    for span in _around(view, setting, offset) if setting is not None else ():
        if view.source.holds(span) and spans[-1].within(span) and span != spans[-1]:
            spans.append(span)
    outer, *inner = reversed(spans[1:] or spans)
    chain = types.SelectionRange(view.source.range(outer))
    for span in inner:
        chain = types.SelectionRange(view.source.range(span), chain)
    return chain


def _setting(view: DocumentView, offset: int) -> Setting | None:
    for setting in view.parsed.settings:
        if any(span.covers(offset) for span in (setting.key, setting.value.span, setting.own)):
            return setting
    return None


def _around(view: DocumentView, setting: Setting, offset: int) -> Iterator[Span]:
    """Yield what stands around `offset`, from the inside out."""
    value = setting.value
    if setting.key.covers(offset):
        yield setting.key
    content = value.content
    if content is not None and content.covers(offset) and value.kind in _TEXTS:
        yield from reversed(list(_parts(view.document.text, content, offset)))
        yield content
    if value.span.covers(offset):
        yield value.span
    yield setting.own
    yield setting.statement


def _parts(text: str, span: Span, offset: int) -> Iterator[Span]:
    """Yield the parts of a value around `offset`, each inside the one before."""
    for separator in _SEPARATORS:
        start = text.rfind(separator, span.start, offset) + 1 or span.start
        end = text.find(separator, offset, span.end)
        span = Span(max(start, span.start), span.end if end < 0 else end)
        yield span
