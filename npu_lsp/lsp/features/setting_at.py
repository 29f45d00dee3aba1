"""What stands at a place in a document: an option's key, its slot, its value."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages import cursor
from npu_lsp.languages.completion_context import CompletionKind
from npu_lsp.languages.model import Setting
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.spans import Span


class SettingPart(Enum):
    """A part of a setting."""

    KEY = "key"
    SLOT = "slot"
    VALUE = "value"


class SettingAt(NamedTuple):
    """A part of a setting, and the option that it sets."""

    part: SettingPart
    span: Span
    surface: Surface
    name: str
    """As written."""
    option: Option | None
    """`None` for a name that the catalog doesn't have."""
    setting: Setting | None = None
    """`None` where the text doesn't parse and only the word is known."""
    text: str = ""
    """The word, where there is no setting."""


def setting_at(view: DocumentView, offset: int) -> SettingAt | None:
    """Return what stands at `offset` of the view's document, in whole settings or in half-typed ones.

    Within a flag's JSON it is the key or the value there, and not all of the JSON.
    """
    both = ((_part(setting, offset), setting) for setting in view.parsed.settings)
    found = [(part, setting) for part, setting in both if part is not None]
    if not found:
        return _half_typed(view, offset)
    (part, span), setting = min(found, key=lambda each: each[0][1].end - each[0][1].start)
    return SettingAt(part, span, setting.surface, setting.name, view.context.option(setting), setting)


def _part(setting: Setting, offset: int) -> tuple[SettingPart, Span] | None:
    if setting.key.covers(offset):
        return SettingPart.KEY, setting.key
    if setting.slot_span is not None and setting.slot_span.covers(offset):
        return SettingPart.SLOT, setting.slot_span
    if setting.value.span.covers(offset):
        return SettingPart.VALUE, setting.value.span
    return None


def _half_typed(view: DocumentView, offset: int) -> SettingAt | None:
    at = cursor(view.document, offset)
    if at is None:
        return None
    word = view.document.text[at.replace.start : at.replace.end]
    if at.wanted in (CompletionKind.KEY, CompletionKind.FLAG):
        name = word.lstrip("-").replace("-", "_") if at.wanted is CompletionKind.FLAG else word
        part = SettingPart.KEY
    elif at.wanted in (CompletionKind.VALUE, CompletionKind.SLOT) and at.option is not None:
        name, part = at.option, SettingPart.VALUE if at.wanted is CompletionKind.VALUE else SettingPart.SLOT
    else:
        return None
    if not name or not word:
        return None
    return SettingAt(part, at.replace, at.surface, name, view.context.lookup(at.surface, name), None, word)
