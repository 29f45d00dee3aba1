"""What a question about a place is about, an option or a variable, and all places of a document that are about the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Setting
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.languages.variables import VariableMention, mentions, reads, variable_at
from npu_lsp.lsp.features.setting_at import SettingPart, setting_at
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.spans import IntervalIndex, Span


class Subject(NamedTuple):
    """An option, on all surfaces that have it, or a variable of one's own."""

    key: str
    """The same for all names of one option."""
    span: Span
    """Where it was asked about."""
    variable: str | None = None
    """The variable's name, where it is one."""
    shared: bool = True
    """False: a name that means nothing in another file."""


class Occurrence(NamedTuple):
    """A place that is about a subject."""

    key: str
    span: Span
    sets: bool
    name: str
    surface: Surface | None
    """`None`: the name of a variable, which no setting has."""
    value: str = ""


def subject_at(view: DocumentView, offset: int) -> Subject | None:
    """Return what stands at `offset`: the variable of a value before the option that it is for."""
    variable = variable_at(view.document, offset)
    if variable is not None:
        name = variable.name
        if is_variable(name) or view.context.lookup(Surface.ENV, name) is not None:
            return Subject(_variable_key(view, name), variable.span, name)
        return Subject(_own(name), variable.span, name, shared=False) if makes_settings(view, name) else None
    place = setting_at(view, offset)
    if place is None or place.part is not SettingPart.KEY:
        return None
    variable_name = place.name if place.surface.row.environment else None
    topic = place.option.topic if place.option is not None else f"{place.surface.value}:{place.name}"
    return Subject(topic, place.span, variable_name)


def places(view: DocumentView, subject: Subject) -> list[Occurrence]:
    """Return where the document is about `subject`, in the order of the text."""
    found = {place.span: place for place in settings(view) if place.key == subject.key}
    if subject.variable is not None:
        for each in mentions(view.document, subject.variable):
            found.setdefault(each.span, _place(subject.key, each))
    return [found[span] for span in sorted(found) if view.source.unit.member_at(span) is not None]


def everything(view: DocumentView) -> Iterator[Occurrence]:
    """Yield what the document sets, and the known variables that it uses."""
    yield from settings(view)
    for each in reads(view.document):
        yield _place(_variable_key(view, each.name), each)


def settings(view: DocumentView) -> Iterator[Occurrence]:
    """Yield the settings of the document."""
    for setting in view.parsed.settings:
        if setting.name:
            option = view.context.option(setting)
            key = option.topic if option is not None else f"{setting.surface.value}:{setting.name}"
            name = option.name if option is not None else setting.name
            yield Occurrence(key, setting.key, True, name, setting.surface, _shown(view, setting))


def makes_settings(view: DocumentView, name: str) -> bool:
    """Return whether settings are made of the variable `name`: it stands in one, or in a command of a tool."""
    spans = [block.command for block in view.parsed.blocks if block.command is not None]
    spans += [setting.own for setting in view.parsed.settings]
    made = IntervalIndex(spans)
    return any(made.touches(each.span) for each in mentions(view.document, name)) if spans else False


def _variable_key(view: DocumentView, name: str) -> str:
    option = view.context.lookup(Surface.ENV, name)
    return option.topic if option is not None else f"{Surface.ENV.value}:{name}"


def _own(name: str) -> str:
    return f"${name}"


def _place(key: str, mention: VariableMention) -> Occurrence:
    return Occurrence(key, mention.span, mention.sets, mention.name, None)


def _shown(view: DocumentView, setting: Setting) -> str:
    value = setting.value
    return str(value.data) if value.known else " ".join(view.document.text[slice(*value.span)].split())
