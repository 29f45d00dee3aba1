"""Completes a profile in a script: where one of its switches is exported, those that are missing are added.

At a command that starts a model, the closest recipe is told, with what it sets otherwise; the variables that it has besides are added.
A client that shows pages has all of the comparison as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from npu_lsp.catalog.profiles import Profile, profiles
from npu_lsp.catalog.recipes import models, recipe
from npu_lsp.catalog.surfaces import ENVIRONMENT
from npu_lsp.checking.inventory import Row, rows
from npu_lsp.checking.profile_state import ProfileStanding, ProfileState, additional, closest, standings
from npu_lsp.lsp.features.status import uri_in
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.lsp.uris import name_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_EXPORT = re.compile(r"(?P<before>[ \t]*export[ \t]+)(?P<name>[A-Za-z_]\w*)=[^#;&|]*\Z")
_COMPARE = Text("Compare with the recipe {name}", "与官方配方 {name} 比较")
_ADD = Text("{compare}: add {names}", "{compare}：添加 {names}")
_OTHER = Text(" (it sets otherwise: {names})", "（取值不同：{names}）")
_TITLE = Text("Complete the profile “{title}” ({names})", "补全方案“{title}”（{names}）")


def completions(view: DocumentView, offset: int, recipe_name: str | None) -> Iterator[tuple[str, Edit]]:
    """Yield a title and an edit for each profile that has the variable which the line at `offset` exports, or for its recipe."""
    document = view.document
    if document.kind is not Kind.SHELL:
        return
    line = document.line_span(document.line_of(offset))
    if recipe_name is not None:
        yield from _compared(view, line, recipe_name)
    written = _EXPORT.match(document.text[slice(*line)])
    if written is None:
        return
    analyzer = view.project.analyzer
    known = profiles(analyzer.catalog, analyzer.config.profiles)
    for profile in known.values():
        if not any(switch.option == written["name"] for switch in profile.switches):
            continue
        missing = _missing(view, profile)
        if missing:
            ending = document.newline_at(line.start)
            lines = "".join(f"{ending}{written['before']}{name}={value}" for name, value in missing.items())
            title = _TITLE.to(view.language).format(title=profile.title.to(view.language), names=", ".join(missing))
            yield title, Edit(Span(line.end, line.end), lines)


def recipe_at(view: DocumentView, offset: int) -> str | None:
    """Return the name of the recipe that is closest to the command on the line at `offset`, where that starts a model."""
    document = view.document
    text = document.text[slice(*document.line_span(document.line_of(offset)))]
    return _closest(view, text) if document.kind is Kind.SHELL and models(text) else None


def comparison(view: DocumentView, name: str) -> str:
    """Return the title of what compares a script with a recipe."""
    return _COMPARE.to(view.language).format(name=name)


def compared(session: Session, params: Any) -> dict[str, Any]:
    """Answer a page, in Markdown: how an open document differs from a recipe, or from the one that is closest to it."""
    uri = uri_in(params)
    source = session.documents.find(uri) if uri else None
    view = session.view(source) if source is not None else None
    if view is None or view.too_large:
        return {"markdown": ""}
    from npu_lsp.reports.profile_table import NO_RECIPE, table_of
    from npu_lsp.reports.table import markdown

    analyzer = view.project.analyzer
    asked = params.get("recipe")
    name = asked if isinstance(asked, str) else _closest(view, view.document.text)
    profile = recipe(name, analyzer.catalog) if name is not None else None
    if profile is None:
        return {"markdown": NO_RECIPE.to(view.language)}
    found = _rows(view, name_of(view.source.uri))
    # What differs comes first.
    states = sorted(_standings(view, profile, found), key=lambda each: list(ProfileState).index(each.state))
    table = table_of(profile, states, view.language, additional(profile, found))
    return {"markdown": "".join(markdown(table, view.language))}


def _closest(view: DocumentView, text: str) -> str | None:
    analyzer = view.project.analyzer
    return next(iter(closest(text, _rows(view), analyzer.target, analyzer.catalog)), None)


def _rows(view: DocumentView, path: str = "") -> list[Row]:
    return sorted(rows(path, view.document, view.project.analyzer.catalog), key=lambda row: row[:3])


def _standings(view: DocumentView, profile: Profile, found: Sequence[Row]) -> list[ProfileStanding]:
    analyzer = view.project.analyzer
    return list(standings(profile, found, analyzer.catalog, analyzer.target))


def _compared(view: DocumentView, line: Span, name: str) -> Iterator[tuple[str, Edit]]:
    """Yield the recipe of that name for the command on a line, and what adds the variables that it sets besides."""
    text = view.document.text[slice(*line)]
    profile = recipe(name, view.project.analyzer.catalog)
    if profile is None:
        return
    states = _standings(view, profile, _rows(view))
    other = [each.switch.option for each in states if each.state is ProfileState.CONTRADICTS]
    missing = {
        each.switch.option: each.switch.value
        for each in states
        if each.state is ProfileState.MISSING and each.switch.surface in ENVIRONMENT
    }
    if missing:
        ending, indent = view.document.newline_at(line.start), text[: len(text) - len(text.lstrip())]
        lines = "".join(f"{indent}export {each}={value}{ending}" for each, value in missing.items())
        title = _ADD.to(view.language).format(compare=comparison(view, name), names=", ".join(missing))
        differs = _OTHER.to(view.language).format(names=", ".join(other)) if other else ""
        yield title + differs, Edit(Span(line.start, line.start), lines)


def _missing(view: DocumentView, profile: Profile) -> dict[str, str]:
    """Return what to set; nothing that some product doesn't bear while nobody says which one it is."""
    analyzer = view.project.analyzer
    return {
        each.switch.option: each.switch.value
        for each in _standings(view, profile, _rows(view))
        if each.state is ProfileState.MISSING
        and each.switch.surface in ENVIRONMENT
        and (each.switch.not_on is None or analyzer.target.products)
    }
