"""Completes a profile in a script: where one of its switches is exported, those that are missing are added.

At a command that starts a model, the closest recipe is told, with what it sets otherwise; the variables that it has besides are added.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import as_text
from npu_lsp.catalog.profiles import Profile, profiles
from npu_lsp.catalog.recipes import models, nearest, recipe
from npu_lsp.catalog.surfaces import ENVIRONMENT
from npu_lsp.checking.inventory import rows
from npu_lsp.checking.profile_state import ProfileState, standings
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_EXPORT = re.compile(r"(?P<before>[ \t]*export[ \t]+)(?P<name>[A-Za-z_]\w*)=[^#;&|]*\Z")
_COMPARE = Text("Compare with the recipe {name}: add {names}", "与官方配方 {name} 比较：添加 {names}")
_OTHER = Text(" (it sets otherwise: {names})", "（取值不同：{names}）")
_TITLE = Text("Complete the profile “{title}” ({names})", "补全方案“{title}”（{names}）")


def completions(view: DocumentView, offset: int) -> Iterator[tuple[str, Edit]]:
    """Yield a title and an edit for each profile that has the variable which the line at `offset` exports, or for its recipe."""
    document = view.document
    if document.kind is not Kind.SHELL:
        return
    line = document.line_span(document.line_of(offset))
    if models(document.text[slice(*line)]):
        yield from _compared(view, line)
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


def _compared(view: DocumentView, line: Span) -> Iterator[tuple[str, Edit]]:
    """Yield the recipe that is closest to the command on a line, and what adds the variables that it sets besides."""
    analyzer, text = view.project.analyzer, view.document.text[slice(*line)]
    found = sorted(rows("", view.document, analyzer.catalog), key=lambda row: row[:3])
    known = {f"{row.surface}.{row.option}": as_text(row.value) for row in found if row.known}
    names = nearest(text, known, sorted(analyzer.target.products), analyzer.catalog)
    profile = recipe(names[0], analyzer.catalog) if names else None
    if profile is None:
        return
    states = list(standings(profile, found, analyzer.catalog, analyzer.target))
    other = [each.switch.option for each in states if each.state is ProfileState.CONTRADICTS]
    missing = {
        each.switch.option: each.switch.value
        for each in states
        if each.state is ProfileState.MISSING and each.switch.surface in ENVIRONMENT
    }
    if missing:
        ending, indent = view.document.newline_at(line.start), text[: len(text) - len(text.lstrip())]
        lines = "".join(f"{indent}export {name}={value}{ending}" for name, value in missing.items())
        title = _COMPARE.to(view.language).format(name=names[0], names=", ".join(missing))
        differs = _OTHER.to(view.language).format(names=", ".join(other)) if other else ""
        yield title + differs, Edit(Span(line.start, line.start), lines)


def _missing(view: DocumentView, profile: Profile) -> dict[str, str]:
    """Return what to set; nothing that some product doesn't bear while nobody says which one it is."""
    analyzer = view.project.analyzer
    found = sorted(rows("", view.document, analyzer.catalog), key=lambda row: row[:3])
    return {
        each.switch.option: each.switch.value
        for each in standings(profile, found, analyzer.catalog, analyzer.target)
        if each.state is ProfileState.MISSING
        and each.switch.surface in ENVIRONMENT
        and (each.switch.not_on is None or analyzer.target.products)
    }
