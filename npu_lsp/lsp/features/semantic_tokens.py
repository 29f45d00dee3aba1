"""Options and values that are known, for a theme to colour. Only where that is switched on.

An editor may take the tokens of one server alone: what the language's own server says of all names must not be lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from npu_lsp.catalog.availability import is_old, standing
from npu_lsp.linter.values import allowed_value
from npu_lsp.lsp.features.registrations import TOKEN_MODIFIERS, TOKEN_TYPES
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.spans import Span

SETTING = "semanticHighlighting"
_DEPRECATED = 1 << TOKEN_MODIFIERS.index("deprecated")


def semantic_tokens(view: DocumentView, _params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """Answer the tokens of the document."""
    return _encoded(view, Span(0, len(view.document.text))) if view.wants(SETTING) else None


def in_range(view: DocumentView, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    """Answer the tokens of a part of the document."""
    return _encoded(view, view.source.span(params.range)) if view.wants(SETTING) else None


def _encoded(view: DocumentView, wanted: Span) -> types.SemanticTokens:
    data: list[int] = []
    line = character = end = 0
    for span, kind, modifiers in sorted(set(_tokens(view))):
        if not span.within(wanted) or not view.source.holds(span) or span.start < end:
            continue
        where = view.source.range(span)
        if where.end.line != where.start.line:
            continue
        end = span.end
        step = where.start.line - line
        data += [step, where.start.character - (0 if step else character)]
        data += [where.end.character - where.start.character, TOKEN_TYPES.index(kind), modifiers]
        line, character = where.start.line, where.start.character
    return types.SemanticTokens(data)


def _tokens(view: DocumentView) -> Iterator[tuple[Span, str, int]]:
    target = view.project.analyzer.target
    for setting in view.parsed.settings:
        option = view.context.option(setting)
        if option is None or not setting.name:
            continue
        kind = "variable" if option.surface.row.environment else "property"
        yield setting.key, kind, _DEPRECATED if standing(option, target).deprecated else 0
        allowed = allowed_value(option, setting.value)
        if allowed is not None and setting.value.content is not None:
            yield setting.value.content, "enumMember", _DEPRECATED if is_old(allowed, option, target) else 0
