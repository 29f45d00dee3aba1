"""What is shown of a word that is no part of a setting: a variable that is used, a tool, a code in a comment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from npu_lsp.catalog.error_codes import SHAPE
from npu_lsp.catalog.model import Surface
from npu_lsp.docs.markdown import code
from npu_lsp.languages.registry import PAGES
from npu_lsp.languages.variables import variable_at
from npu_lsp.lsp.features.option_text import option_text
from npu_lsp.lsp.features.subject import makes_settings, places, subject_at
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_PROSE = PAGES | {Kind.OTHER}
"""Texts that tell people something anywhere in them. A log has no kind of its own."""
Told = tuple[str, Span]
"""Markdown, and the place that it is about."""
_RULE = re.compile(r"NPU\d{3}(?!\w)")
_NEAR = 40
"""Characters around the mouse that a code may take."""
_COMMENT = re.compile(r"#|//")
_SET = Text("Set in line {line}: {value}", "第 {line} 行设置：{value}")
_SET_BARE = Text("Set in line {line}", "第 {line} 行设置")
_SHOWN, _WIDTH = 5, 80
"""Assignments of a variable that are shown, and characters of each."""


def about_word(view: DocumentView, offset: int) -> Told | None:
    """Return what there is to say about the word at `offset`; the first way that knows it has the word."""
    return next((told for told in (way(view, offset) for way in _WAYS) if told is not None), None)


def variable(view: DocumentView, offset: int) -> Told | None:
    """Return what is known of the variable that is used at `offset`: where it is set here, and what it is for."""
    found = variable_at(view.document, offset)
    if found is None:
        return None
    option = view.context.lookup(Surface.ENV, found.name)
    if option is None and not makes_settings(view, found.name):
        return None
    lines = list(_set_here(view, offset)) if option is None else list(_value_from(view, offset, found.name))
    about = option_text(view.project, option) if option is not None else f"**{code('$' + found.name)}**"
    said = "\n".join(f"- {line}" for line in lines)
    if option is None:
        return "\n\n".join(filter(None, (about, said))), found.span
    return "\n\n---\n\n".join(filter(None, (said, about))), found.span


def _value_from(view: DocumentView, offset: int, name: str) -> Iterator[str]:
    """Yield where the variable `name` has its value from at `offset`, where anything sets it."""
    from npu_lsp.lsp.features import provenance

    known = provenance.known(view, offset, name)
    if known is not None:
        yield provenance.told_of(view, known)


def _set_here(view: DocumentView, offset: int) -> Iterator[str]:
    subject = subject_at(view, offset)
    all_ = [place for place in places(view, subject) if place.sets] if subject is not None else []
    for place in all_[:_SHOWN]:
        line = view.document.line_of(place.span.start) + 1
        value = place.value or _assigned(view, place.span)
        said = (_SET if value else _SET_BARE).to(view.language)
        yield said.format(line=line, value=code(value[:_WIDTH]) if value else "")


def _assigned(view: DocumentView, span: Span) -> str:
    """Return the text that a script's variable gets at `span`."""
    if view.document.kind is not Kind.SHELL:
        return ""
    from npu_lsp.languages.shell.names import value_of

    value = value_of(view.document, span)
    return " ".join(view.document.text[slice(*value)].split()) if value is not None else ""


def _owner(view: DocumentView, offset: int) -> Told | None:
    """Return what is known of the tool or the call that takes options."""
    from npu_lsp.docs.owners import owner

    for block in view.parsed.blocks:
        if block.head.covers(offset):
            head = view.document.text[slice(*block.head)]
            present = [setting.name for setting in block.settings if setting.name]
            text = owner(view.project.analyzer.catalog, block.surface, head, present, view.language)
            if text is None:
                return None
            gets = _launch(view, offset)
            return ("\n\n---\n\n".join((gets[0], text)) if gets is not None else text), block.head
    return None


def _launch(view: DocumentView, offset: int) -> Told | None:
    """Return which variables a command or a service gets, and from where."""
    from npu_lsp.lsp.features import provenance

    return provenance.at_launch(view, offset)


def _rule(view: DocumentView, offset: int) -> Told | None:
    """Return the page of the rule whose code stands in a comment that speaks to npu-lsp."""
    if not any(comment.span.covers(offset) for comment in view.parsed.comments):
        return None
    span = _around(view, offset, _RULE)
    word = view.document.text[slice(*span)] if span is not None else ""
    rule = next((each for each in view.project.analyzer.all_rules if each.code == word), None)
    if rule is None or span is None:
        return None
    from npu_lsp.linter.page import page

    title, _, rest = page(rule, view.language).partition("\n")
    return f"**{title.lstrip('# ')}**\n{rest}", span


def _error(view: DocumentView, offset: int) -> Told | None:
    """Return what is known of the code of an error that a comment, a page or a log names."""
    span = _around(view, offset, SHAPE)
    if span is None or not (view.document.kind in _PROSE or _in_comment(view, span)):
        return None
    catalog = view.project.analyzer.catalog
    known = catalog.error_codes.find(view.document.text[slice(*span)])
    if known is None:
        return None
    from npu_lsp.checking.diagnosis import Diagnosis, named
    from npu_lsp.reports.explanation import markdown

    return "".join(markdown(Diagnosis([named(known, None)]), view.language)).strip(), span


def _in_comment(view: DocumentView, span: Span) -> bool:
    line = view.document.line_span(view.document.line_of(span.start))
    return _COMMENT.search(view.document.text, line.start, span.start) is not None


def _around(view: DocumentView, offset: int, form: re.Pattern[str]) -> Span | None:
    """Return the place of what has a form and stands at `offset`."""
    low, high = max(0, offset - _NEAR), offset + _NEAR
    found = (Span(*match.span()) for match in form.finditer(view.document.text, low, high))
    return next((span for span in found if span.covers(offset)), None)


_WAYS: tuple[Callable[[DocumentView, int], Told | None], ...] = (variable, _owner, _launch, _rule, _error)
