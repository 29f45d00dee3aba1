"""What a tool makes of a written value, and whether an option takes it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from npu_lsp.catalog import near
from npu_lsp.catalog.model import Allowed, Option, Scalar, Slot
from npu_lsp.languages.model import Form, Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text

_INTEGER = re.compile(r"[+-]?\d+\Z")
_TEXT_KINDS = frozenset({ValueKind.STRING, ValueKind.BYTES, ValueKind.WORD})
MOST_LISTED, _FIRST = 20, 12
"""Values that a message lists whole, and how many of more."""
_MORE = Text(" and {count} more", " 等（另有 {count} 个）")
_NO = frozenset({"false", "0", "off", "no", "none"})


def text_of(value: Value) -> str | None:
    """Return the text of a known string, bytes or word, else `None`."""
    if value.known and value.kind in _TEXT_KINDS:
        return str(value.data)
    return None


def says_no(text: str | None) -> bool:
    """Return whether people who write `text` where only yes and no are meant mean no; what a tool takes for off is `relations.says_off`."""
    return text is not None and text.strip().lower() in _NO


def number_of(value: Value) -> int | float | None:
    """Return the number that a known value is; of a word, the whole number that its text is."""
    if not value.known:
        return None
    if value.kind in (ValueKind.INT, ValueKind.FLOAT):
        number: int | float = value.data
        return number
    return _whole(str(value.data)) if value.kind is ValueKind.WORD else None


def same(value: Value, allowed: Scalar) -> bool:
    """Return whether a known `value` is what `allowed` says, or has it in a list.

    A word has no type, so `5` is the number and the text.
    """
    if not value.known:
        return False
    data = value.data
    if _is_part(allowed):
        return isinstance(data, str) and str(allowed)[1:-1] in data
    if value.kind is ValueKind.LIST:
        return isinstance(allowed, str) and any(same(item, allowed) for item in value.items)
    if value.kind is ValueKind.WORD:
        return _word_is(str(data), allowed)
    if isinstance(allowed, bool) or isinstance(data, bool):
        return isinstance(data, (bool, int)) and isinstance(allowed, (bool, int)) and bool(data) == bool(allowed)
    if isinstance(allowed, str) != isinstance(data, str):
        return False
    return bool(data == allowed)


def allows(option: Option, value: Value) -> bool:
    """Return whether `value` is one of the option's listed values; without a list every value is."""
    return not option.values or allowed_value(option, value) is not None


def refused(option: Option, value: Value) -> bool:
    """Return whether the option's list is closed and lacks a known `value`: nobody knows then what was meant."""
    return value.known and not option.open and not allows(option, value)


def allowed_value(option: Option, value: Value) -> Allowed | None:
    """Return what the catalog says of a known `value`; options that don't care about case get `True` for `true` too."""
    exact = next((a for a in option.values if same(value, a.value)), None)
    text = text_of(value)
    if exact is not None or option.case_sensitive or text is None:
        return exact
    return next((a for a in option.values if isinstance(a.value, str) and a.value.casefold() == text.casefold()), None)


def nearest(option: Option, value: Value, *, careful: bool = False) -> Scalar:
    """Return the listed value that a wrong one was meant to be, or `None` where that isn't clear.

    What is forgiven is what `near.nearest` forgives in names; `careful` where the value may well be right.
    """
    text = str(value.data) if value.kind is ValueKind.MEMBER else text_of(value)
    if text is None:
        return None
    by_text = {str(each.value): each.value for each in option.values if each.value is not None}
    found = near.nearest(text, by_text, careful=careful, wrong=not careful)
    return by_text[found] if found is not None else None


def shown(value: Scalar, form: Form | None = None) -> str:
    """Return a value as messages show it: text in quotes, the rest bare; `form`: how the setting is written that it is of.

    What Python calls `True` is `true` in the files of entries: JSON, YAML, text protobuf.
    """
    if isinstance(value, str):
        return f'"{value}"'
    return json.dumps(value) if form is Form.ENTRY else str(value)


def listed(option: Option, language: Language = "en", form: Form | None = None) -> str:
    """Return the option's values as messages list them."""
    return shortened([shown(each.value, form) for each in option.values if each.value is not None], language)


def shortened(words: Sequence[str], language: Language) -> str:
    """Return words with commas between them; of many the first ones, and how many others there are."""
    more = _MORE.to(language).format(count=len(words) - _FIRST) if len(words) > MOST_LISTED else ""
    return ("、" if language == "zh" else ", ").join(words[:_FIRST] if more else words) + more


def is_comparable(setting: Setting, option: Option) -> bool:
    """Return whether the value is of the option's own type; another type is another rule's business."""
    value = setting.value
    # Which modes there are depends on the operator: `unknown-mode` looks at both.
    if value.data == "" or setting.surface.row.named == "operators":
        return False
    if value.kind is ValueKind.WORD:
        return True
    if option.type == "member" and value.kind is not ValueKind.MEMBER:
        return False  # What the constants stand for may be written, too.
    is_text = value.kind is ValueKind.MEMBER or value.kind in _TEXT_KINDS
    if not is_text and value.kind is not ValueKind.INT:
        return False
    if option.slot is not None:
        return setting.slot == option.slot.value and is_text == (option.slot is Slot.STRING)
    return any(isinstance(each.value, str) == is_text for each in option.values)


def is_suffix(value: Scalar) -> bool:
    """Return whether what the catalog says of a value is only how it ends: `*.txt`."""
    return isinstance(value, str) and value.startswith("*.")


def _is_part(value: Scalar) -> bool:
    """Return whether what the catalog says of a value is only what it holds somewhere: `*expandable_segments:True*`."""
    return isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == "*"


def _word_is(word: str, allowed: Scalar) -> bool:
    if is_suffix(allowed):
        return word.endswith(str(allowed)[1:])
    if isinstance(allowed, bool):
        return word.lower() == str(allowed).lower()
    if isinstance(allowed, int):
        return _whole(word) == allowed
    return word == str(allowed)


def _whole(word: str) -> int | None:
    """Return the whole number that a word is; one of absurd length is none, since Python refuses to read it."""
    return int(word) if len(word) < 40 and _INTEGER.match(word) else None
