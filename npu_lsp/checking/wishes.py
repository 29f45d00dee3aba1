"""The values that a log asks for, written where the folder sets others: an edit that goes through the gate as the fix of a finding does.

A value is certain where the message is about it, says the value that is set here or none, and only one place sets it. All others are for
a person to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.error_codes import Wanted
from npu_lsp.catalog.model import Scalar
from npu_lsp.checking.written import plain, value_in
from npu_lsp.languages import read
from npu_lsp.languages.model import Setting, ValueKind
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

SET = Text("Set {name} to {value}", "将 {name} 设为 {value}")


class Wish(NamedTuple):
    """What a log asks for of one place."""

    path: str
    line: int
    """1-based."""
    name: str
    wanted: Wanted
    safety: Safety
    code: str
    """The signature that asks for it."""

    def title(self, language: Language) -> str:
        """Return what is done for it."""
        return SET.to(language).format(name=self.name, value=self.wanted.value)


def safeties(values: Sequence[str], wanted: Wanted) -> Iterator[Safety | None]:
    """Yield for each value that places have whether what is wanted is certain there; `None`: it is there already."""
    left = [value for value in values if not wanted.met(value)]
    certain = wanted.certain and len(left) == 1 and (left[0] == wanted.now if wanted.now else len(values) == 1)
    for value in values:
        yield None if wanted.met(value) else Safety.SAFE if certain else Safety.UNSAFE


def strictest(wishes: Iterable[Wish]) -> list[Wish]:
    """Return one wish for each place: of several bounds the one with which all are met, and none where two exclude each other."""
    found: dict[tuple[str, int, str], list[Wish]] = {}
    for wish in wishes:
        found.setdefault((wish.path, wish.line, plain(wish.name)), []).append(wish)
    return [
        fitting[0]
        for several in found.values()
        if (fitting := [each for each in several if all(other.wanted.met(each.wanted.value) for other in several)])
    ]


def wished(document: Document, wishes: Sequence[Wish], language: Language) -> Iterator[Finding]:
    """Yield as findings what a document has otherwise than wished, each with its fix; `wishes` are those of this document."""
    left = list(wishes)
    for setting in read(document).settings:
        line, _ = document.line_column(setting.key.start)
        for wish in wishes:
            if wish.line != line or plain(wish.name) != plain(setting.name) or not setting.value.known:
                continue
            if wish in left:
                left.remove(wish)
            value = _typed(wish.wanted.value, setting)
            if value is not None and not wish.wanted.met(str(setting.value.data)):
                edits = writer_for(setting).set_value(document, setting, value, slot=setting.slot)
                # A name whose value it takes may be meant for others, too.
                written = document.text[slice(*setting.value.inside)] == str(setting.value.data)
                asked = wish if written else wish._replace(safety=Safety.UNSAFE)
                yield _finding(asked, setting.key, edits, language)
    for wish in left:
        line_span = document.line_span(wish.line - 1) if wish.line <= len(document.line_starts) else Span(0, 0)
        place = value_in(document.text[slice(*line_span)], wish.name)
        if place is not None:
            span = Span(*place).shifted(line_span.start)
            if not wish.wanted.met(document.text[slice(*span)]):
                yield _finding(wish, span, (Edit(span, wish.wanted.value),), language)


def _finding(wish: Wish, span: Span, edits: tuple[Edit, ...], language: Language) -> Finding:
    title = wish.title(language)
    fixes = (Fix(title, edits, wish.safety),) if edits else ()
    return Finding(wish.code, wish.code, Severity.ERROR, span, title, wish.name, fixes=fixes)


def _typed(value: str, setting: Setting) -> Scalar:
    """Return a value as it has to be written in the place of the one that is there; `None`: it can't be."""
    kind = setting.value.kind
    try:
        if kind is ValueKind.INT:
            return int(value)
        if kind is ValueKind.FLOAT:
            return float(value)
    except ValueError:
        return None
    if kind is ValueKind.BOOL:
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower())
    return value
