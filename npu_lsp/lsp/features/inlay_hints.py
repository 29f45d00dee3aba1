"""What stands beside a value: what a number means, and on request the default and what else decides."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from npu_lsp.catalog.availability import only_default
from npu_lsp.catalog.model import Option
from npu_lsp.docs.meaning import measured, named
from npu_lsp.docs.wording import shown
from npu_lsp.languages.model import Setting, Value
from npu_lsp.languages.variables import reads
from npu_lsp.linter.values import allowed_value, number_of, same, text_of
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Span

MEANINGS, DEFAULTS, OVERRIDES = "inlayHints.meanings", "inlayHints.defaults", "inlayHints.overrides"
_ORIGINS = "inlayHints.origins"
_MOST_USES = 40
"""Uses of variables that have a hint: each is followed through files."""
_DEFAULT = Text("default: {value}", "默认值：{value}")
_UNLESS = Text("unless {other} is set", "{other} 未设置时有效")
_WINS = Text("wins over {other}", "优先于 {other}")
_LONGEST_ORIGIN = 60
_LONGEST = 40
"""Characters of a default that is shown."""


def inlay_hints(view: DocumentView, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Answer the hints in a range; numbers have theirs unless that is switched off, the others when it is switched on."""
    wanted = view.source.span(params.range)
    asked = (view.wants(MEANINGS, usual=True), view.wants(DEFAULTS), view.wants(OVERRIDES))
    found: list[types.InlayHint] = []
    for setting in view.parsed.settings if any(asked) else ():
        at = setting.value.span
        if wanted.start <= at.end <= wanted.end and view.source.holds(at) and at.end > at.start:
            option = view.context.option(setting)
            labels = list(_labels(view, setting, option, asked)) if option is not None else []
            found += [types.InlayHint(view.source.position(at.end), each, padding_left=True) for each in labels]
    if view.wants(_ORIGINS):
        found += _origins(view, wanted)
    return found


def _origins(view: DocumentView, wanted: Span) -> Iterator[types.InlayHint]:
    """Yield where the variables that are used have their values from."""
    from npu_lsp.lsp.features import provenance

    uses = [use for use in reads(view.document) if wanted.start <= use.span.end <= wanted.end]
    texts = provenance.texts_around(view)
    for use in uses[:_MOST_USES]:
        own = view.source.holds(use.span)
        known = provenance.known(view, use.span.start, use.name, texts=texts) if own else None
        if known is not None:
            said = provenance.told_of(view, known, plain=True)
            label = said if len(said) <= _LONGEST_ORIGIN else said[: _LONGEST_ORIGIN - 1] + "…"
            at = view.source.position(use.span.end)
            yield types.InlayHint(at, label, tooltip=said, padding_left=True)


def _labels(view: DocumentView, setting: Setting, option: Option, asked: tuple[bool, bool, bool]) -> Iterator[str]:
    meanings, defaults, overrides = asked
    if meanings and (meaning := _meaning(view, setting.value, option)):
        yield meaning
    default = only_default(option, view.project.analyzer.target) if defaults and setting.value.known else None
    if default is not None and not same(setting.value, default) and len(str(default)) <= _LONGEST:
        yield _DEFAULT.to(view.language).format(value=str(default) or '""')
    for relation in option.relations if overrides else ():
        other, total = relation.other_surface, relation.extent == "total" and not relation.values
        if other is not None and total and relation.kind in ("ignored_when", "overrides"):
            said = _UNLESS if relation.kind == "ignored_when" else _WINS
            yield said.to(view.language).format(other=shown(other, relation.other))


def _meaning(view: DocumentView, value: Value, option: Option) -> str:
    number = _number(value)
    if number is None:
        return ""
    allowed = allowed_value(option, value)
    name = named(view.project.analyzer.catalog, option, allowed.value, view.language) if allowed is not None else ""
    return name or measured(option, number, view.language)


def _number(value: Value) -> int | float | None:
    number = number_of(value)
    if number is not None and not isinstance(number, bool):
        return number
    text = text_of(value)
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 20 else None
