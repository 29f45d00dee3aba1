"""Quick fixes, the fix of everything, and the comment that silences a finding."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress, islice

from lsprotocol import types

from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.fixing.gate import Claim, that_hold
from npu_lsp.lsp.features.choices import repeated, values
from npu_lsp.lsp.features.chosen_actions import Do, Layout, chosen, command_at, fix_edit, laid_out, later
from npu_lsp.lsp.features.diagnostics import SOURCE
from npu_lsp.lsp.features.edits import can_create, has_place, let_through, workspace_edit
from npu_lsp.lsp.features.fix_all import has_safe_fix
from npu_lsp.lsp.features.logs import is_log
from npu_lsp.lsp.features.ranges import range_json
from npu_lsp.lsp.features.registrations import COMPARE_COMMAND, FIX_ALL
from npu_lsp.lsp.features.suppressing import Comments
from npu_lsp.lsp.features.switching_off import off
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.spans import Edit, Span

_FIX_ALL = Text("Fix all safe npu-lsp problems", "修复所有可安全修复的 npu-lsp 问题")
_REVIEW = Text(" (review)", "（需审阅）")
_IGNORE = Text("Ignore {code} here", "在此处忽略 {code}")
_IGNORE_OPTION = Text("Ignore {code} here for {option}", "在此处忽略 {option} 的 {code}")
_CHANGE = Text("Change to {value}", "改为 {value}")
_FIX_RULE = Text("Fix all {code} in this file", "修复此文件中的所有 {code}")
_OFF = Text("Turn {code} off in the configuration", "在配置文件中停用 {code}")
_LAYOUTS: dict[Layout, Text] = {
    "lines": Text("One flag per line", "每行一个参数"),
    "array": Text("Flags into an array", "将参数放入数组"),
}
_REWRITE = types.CodeActionKind.RefactorRewrite.value
_LONGEST_NOTE = 300
_FEW = 30
"""So many findings, and all of one rule are mended in passing for a client that wants every edit at once."""
_CODES = 5
"""Rules that are offered to be turned off, of all that is selected."""
_MANY = 500
"""So many findings of a text are not mended in passing, for a client that wants every edit at once."""

Shown = Mapping[tuple[object, tuple[int, int]], types.Diagnostic]
"""The client's own diagnostics, by code and place."""
MakeEdit = Callable[[], types.WorkspaceEdit | None]


def answer(
    view: DocumentView, params: types.CodeActionParams
) -> list[types.CodeAction] | Awaitable[list[types.CodeAction]]:
    """Answer what can be done at a place of a text, or of a log."""
    if not is_log(view.source):
        return code_actions(view, params)
    from npu_lsp.lsp.features.log_actions import actions

    return actions(view, params) if _asked(types.CodeActionKind.QuickFix.value, params.context.only) else []


def code_actions(view: DocumentView, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Answer what can be done at a place. `context.only` asks by prefix.

    All that is offered has been tried, and what is chosen goes through the gate of `npu_lsp.linter.fixing.gate`. What mends
    everything must bring no finding besides, as on the command line. A single fix may: a person chooses it, sees what it does, and
    takes it back with one step.

    Where the client takes them later, the edits are made when one of the actions is chosen.
    """
    only = params.context.only
    actions: list[types.CodeAction] = []
    if _asked(types.CodeActionKind.QuickFix.value, only):
        touched = _touched(view, view.source.span(params.range))
        shown = _shown(params.context.diagnostics)
        actions += _quick_fixes(view, touched, shown)
        if touched:
            actions += _suppressions(view, touched, shown)
            actions += _choices(view, touched, shown)
    # An edit that can't be left for later is made for whoever asks, and not at each place where the cursor comes by.
    at_once = view.client.action_resolves_edit or len(view.findings()) <= _MANY
    if _asked(FIX_ALL, only) and (only or (actions and at_once)) and has_safe_fix(view):
        actions.append(_action(view, _FIX_ALL.to(view.language), FIX_ALL, later(view, "all")))
    if _asked(_REWRITE, only):
        actions += _rewrites(view, view.source.span(params.range))
        actions += _completed(view, view.source.span(params.range))
        # Whoever only moves the cursor has asked for nothing.
        if only or params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic:
            actions += _restated(view, view.source.span(params.range))
    return actions


def _asked(kind: str, only: Sequence[str | types.CodeActionKind] | None) -> bool:
    if not only:
        return True
    wanted = [each.value if isinstance(each, types.CodeActionKind) else each for each in only]
    return any(not each or kind == each or kind.startswith(f"{each}.") for each in wanted)


def _touched(view: DocumentView, span: Span) -> list[Finding]:
    """Return the findings at `span`; with a mere cursor that stands at none, those on its line."""
    findings = view.findings()
    found = [f for f in findings if f.span.start <= span.end and span.start <= f.span.end]
    if found or span.start != span.end:
        return found
    line = view.document.line_span(view.document.line_of(span.start))
    return [f for f in findings if line.start <= f.span.start <= line.end]


def _quick_fixes(view: DocumentView, findings: Sequence[Finding], shown: Shown) -> Iterator[types.CodeAction]:
    claims = [Claim(finding, fix) for finding in findings for fix in finding.fixes if has_place(view, fix.edits)]
    for finding, fix in _that_hold(view, claims):
        title = _title(fix, bool(fix.files) and can_create(view), view.language)
        number = finding.fixes.index(fix)
        action = _for(view, title, "fix", finding, shown, partial(fix_edit, view, finding, fix), fix=number)
        preferred = fix is finding.choice(unsafe=False) and view.client.action_preferred
        action.is_preferred = True if preferred else None
        if action.data is not None or action.edit is not None:
            yield action


def _that_hold(view: DocumentView, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the fixes that do what they are for; only some where the client wants each edit at once."""
    claims = claims if view.client.action_resolves_edit else claims[:_FEW]
    analyzer = view.project.analyzer
    return compress(claims, that_hold(view.document, analyzer.findings_of, claims, analyzer))


def _title(fix: Fix, creates: bool, language: Language) -> str:
    """Return what the fix does, whether to look at it, and what it leaves to the person where the client can't create a file."""
    review = _REVIEW.to(language) if fix.safety is Safety.UNSAFE else ""
    if not fix.note or creates or not fix.files:
        return fix.title + review
    note = " ".join(fix.note.split())
    return f"{fix.title}{review} ({note if len(note) <= _LONGEST_NOTE else note[:_LONGEST_NOTE] + '…'})"


def _suppressions(view: DocumentView, findings: Sequence[Finding], shown: Shown) -> Iterator[types.CodeAction]:
    seen: set[Edit] = set()
    comments = Comments(view)
    helping = comments.that_help(findings)
    for finding, edit in helping if view.client.action_resolves_edit else islice(helping, _FEW):
        if edit in seen or not has_place(view, [edit]):
            continue
        seen.add(edit)
        option = comments.option(finding)
        said = (_IGNORE if option is None else _IGNORE_OPTION).to(view.language)
        title = said.format(code=finding.code, option=option)
        yield _for(view, title, "ignore", finding, shown, partial(_commented, view, edit))


def _commented(view: DocumentView, edit: Edit) -> types.WorkspaceEdit | None:
    """Return a comment as an edit: that it silences the finding was found out for all of them in one analysis."""
    return workspace_edit(view, let_through(view, [edit]))


def _choices(view: DocumentView, findings: Sequence[Finding], shown: Shown) -> Iterator[types.CodeAction]:
    """Yield other values, the fix of one rule everywhere, and the end of a rule in the configuration."""
    changes = [
        Claim(finding, Fix(value, edits, Safety.UNSAFE))
        for finding in findings
        for value, edits in values(view, finding)
        if has_place(view, edits)
    ]
    for finding, change in _that_hold(view, changes):
        title = _CHANGE.to(view.language).format(value=change.title)
        yield _for(view, title, "value", finding, shown, value=change.title)
    few = view.client.action_resolves_edit or len(view.findings()) <= _FEW
    for code in repeated(view, findings) if few else ():
        first = next(finding for finding in findings if finding.code == code)
        yield _for(view, _FIX_RULE.to(view.language).format(code=code), "all of", first, shown, rule=code)
    for code in list(dict.fromkeys(finding.code for finding in findings if finding.code))[:_CODES]:
        first = next(finding for finding in findings if finding.code == code)
        if off(view, code) is not None:
            yield _for(view, _OFF.to(view.language).format(code=code), "off", first, shown)


def _for(
    view: DocumentView,
    title: str,
    do: Do,
    finding: Finding,
    shown: Shown,
    edit: MakeEdit | None = None,
    **more: object,
) -> types.CodeAction:
    """Return a quick fix of a finding."""
    action = _action(view, title, types.CodeActionKind.QuickFix, later(view, do, finding, **more), edit)
    action.diagnostics = _meant(view, finding, shown)
    return action


def _action(
    view: DocumentView, title: str, kind: str, data: Mapping[str, object], edit: MakeEdit | None = None
) -> types.CodeAction:
    """Return an action whose edit the client asks for later with `data`, or gets now: made by `edit`, where that is less work."""
    if view.client.action_resolves_edit:
        return types.CodeAction(title=title, kind=kind, data=data)
    return types.CodeAction(title=title, kind=kind, edit=edit() if edit is not None else chosen(view, data))


def _rewrites(view: DocumentView, span: Span) -> Iterator[types.CodeAction]:
    """Yield other layouts of the command at `span`."""
    block = command_at(view, span)
    for do, title in _LAYOUTS.items() if block is not None else ():
        edits = laid_out(view, do, block) if block is not None else ()
        let = let_through(view, edits) if edits and has_place(view, edits) else None
        if let is not None:
            data = later(view, do, fix=span.start)
            yield _action(view, title.to(view.language), _REWRITE, data, partial(workspace_edit, view, let))


def _completed(view: DocumentView, span: Span) -> Iterator[types.CodeAction]:
    """Yield what completes a profile at `span`: an edit of a few lines, which costs no more than its title."""
    from npu_lsp.lsp.features.profile_actions import comparison, completions, recipe_at

    recipe = recipe_at(view, span.start)
    if recipe is not None and view.client.shows_recipes:
        title = comparison(view, recipe)
        shows = types.Command(title=title, command=COMPARE_COMMAND, arguments=[view.source.uri, recipe])
        yield types.CodeAction(title=title, kind=_REWRITE, command=shows)
    for title, edit in completions(view, span.start, recipe):
        let = let_through(view, [edit]) if has_place(view, [edit]) else None
        if let is not None:
            yield types.CodeAction(title=title, kind=_REWRITE, edit=workspace_edit(view, let))


def _restated(view: DocumentView, span: Span) -> Iterator[types.CodeAction]:
    """Yield what adds the options of the session or the `NPURunConfig` at `span` for the other of the two."""
    from npu_lsp.linter.tensorflow.migration import TITLES, block_at, migrated

    block = block_at(view.project.analyzer, view.document, span)
    let = let_through(view, migrated(view.project.analyzer, view.document, block)) if block is not None else None
    if block is not None and let is not None:
        data = later(view, "restate", fix=span.start)
        yield _action(view, TITLES[block.surface].to(view.language), _REWRITE, data, partial(workspace_edit, view, let))


def _shown(diagnostics: Sequence[types.Diagnostic]) -> Shown:
    ours = [each for each in diagnostics if each.source == SOURCE and isinstance(each.code or "", str)]
    # Of several with one code in one place the first.
    return {(each.code or "", _place(each.range.start)): each for each in reversed(ours)}


def _meant(view: DocumentView, finding: Finding, shown: Shown) -> list[types.Diagnostic] | None:
    """Return the client's own diagnostic of `finding`."""
    start = range_json(view, finding.span)["start"]
    found = shown.get((finding.code, (start["line"], start["character"])))
    return [found] if found is not None else None


def _place(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
