"""Quick fixes, the fix of everything, and the comment that silences a finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lsprotocol import types

from npu_lsp.linter.findings import Finding, Fix
from npu_lsp.linter.fix_edits import edits_of
from npu_lsp.lsp.features.capabilities import FIX_ALL
from npu_lsp.lsp.features.diagnostics import SOURCE, range_json
from npu_lsp.lsp.features.edits import can_create, workspace_edit
from npu_lsp.lsp.features.fix_all import fix_all, has_safe_fix
from npu_lsp.lsp.features.suppressing import suppression
from npu_lsp.lsp.session import Session, View
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Span

_FIX_ALL = Text("Fix all safe npu-lsp problems", "修复所有可安全修复的 npu-lsp 问题")
_IGNORE = Text("Ignore {code} here", "在此处忽略 {code}")
_LONGEST_NOTE = 300
_LOOKS = 1000
"""So many findings are made anew for the comments of one answer: each one that is offered was tried on the whole text."""

Shown = Mapping[tuple[object, tuple[int, int]], types.Diagnostic]
"""The client's own diagnostics, by code and place."""


def code_actions(view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Answer what can be done at a place. `context.only` asks by prefix."""
    only = params.context.only
    actions: list[types.CodeAction] = []
    if _asked(types.CodeActionKind.QuickFix.value, only):
        touched = _touched(view, view.source.span(params.range))
        shown = _shown(params.context.diagnostics)
        for finding in touched:
            actions += _quick_fixes(view, finding, shown)
        most = max(1, _LOOKS // max(1, len(view.findings())))
        actions += _suppressions(view, touched[:most], shown)
    # An edit that can't be left for later is made for whoever asks, and not at each place where the cursor comes by.
    at_once = view.client.action_resolves_edit or len(view.findings()) <= _LOOKS
    if _asked(FIX_ALL, only) and (only or (actions and at_once)) and has_safe_fix(view):
        actions.append(_everything(view))
    return actions


async def resolve(session: Session, action: dict[str, Any]) -> dict[str, Any]:
    """Return an action with its edit; one whose text has changed since comes back without."""
    data = action.get("data")
    source = session.documents.find(str(data.get("uri"))) if isinstance(data, dict) else None
    if source is None or not isinstance(data, dict) or data.get("version") != source.version:
        return action
    view = session.view(source)
    # It takes many analyses, one for each rule whose fixes are made.
    fixes = await session.work.result(lambda: fix_all(view))
    if fixes is None or data.get("version") != source.version:
        return action
    return {**action, "edit": workspace_edit(view, *fixes)}


def _asked(kind: str, only: Sequence[str | types.CodeActionKind] | None) -> bool:
    if not only:
        return True
    wanted = [each.value if isinstance(each, types.CodeActionKind) else each for each in only]
    return any(not each or kind == each or kind.startswith(f"{each}.") for each in wanted)


def _touched(view: View, span: Span) -> list[Finding]:
    """Return the findings at `span`; with a mere cursor that stands at none, those on its line."""
    findings = view.findings()
    found = [f for f in findings if f.span.start <= span.end and span.start <= f.span.end]
    if found or span.start != span.end:
        return found
    line = view.document.line_span(view.document.line_of(span.start))
    return [f for f in findings if line.start <= f.span.start <= line.end]


def _quick_fixes(view: View, finding: Finding, shown: Shown) -> Iterator[types.CodeAction]:
    preferred = finding.choice(unsafe=False)
    for fix in finding.fixes:
        files = fix.files if can_create(view) else ()
        edit = workspace_edit(view, edits_of(view.document, [fix]), files)
        if edit is not None:
            yield types.CodeAction(
                title=_title(fix, bool(files)),
                kind=types.CodeActionKind.QuickFix,
                diagnostics=_meant(view, finding, shown),
                is_preferred=True if fix is preferred and view.client.action_preferred else None,
                edit=edit,
            )


def _title(fix: Fix, creates: bool) -> str:
    """Return what the fix does, with what it leaves to the person where the client can't create a file."""
    if not fix.note or creates or not fix.files:
        return fix.title
    note = " ".join(fix.note.split())
    return f"{fix.title} ({note if len(note) <= _LONGEST_NOTE else note[:_LONGEST_NOTE] + '…'})"


def _suppressions(view: View, findings: Sequence[Finding], shown: Shown) -> Iterator[types.CodeAction]:
    seen: set[tuple[str, Span]] = set()
    for finding in findings:
        edit = suppression(view, finding)
        if edit is None or (finding.code, edit.span) in seen:
            continue
        seen.add((finding.code, edit.span))
        made = workspace_edit(view, [edit])
        if made is not None:
            yield types.CodeAction(
                title=_IGNORE.to(view.language).format(code=finding.code),
                kind=types.CodeActionKind.QuickFix,
                diagnostics=_meant(view, finding, shown),
                edit=made,
            )


def _everything(view: View) -> types.CodeAction:
    action = types.CodeAction(title=_FIX_ALL.to(view.language), kind=FIX_ALL)
    if view.client.action_resolves_edit:
        action.data = {"uri": view.source.uri, "version": view.source.version}
    else:
        action.edit = workspace_edit(view, *fix_all(view))
    return action


def _shown(diagnostics: Sequence[types.Diagnostic]) -> Shown:
    ours = [each for each in diagnostics if each.source == SOURCE and isinstance(each.code or "", str)]
    # Of several with one code in one place the first.
    return {(each.code or "", _place(each.range.start)): each for each in reversed(ours)}


def _meant(view: View, finding: Finding, shown: Shown) -> list[types.Diagnostic] | None:
    """Return the client's own diagnostic of `finding`."""
    start = range_json(view, finding.span)["start"]
    found = shown.get((finding.code, (start["line"], start["character"])))
    return [found] if found is not None else None


def _place(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
