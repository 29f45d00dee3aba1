"""All fixes of a document as one edit that a person looks through: those that are safe, and those to review."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

from lsprotocol import types

from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.fixing.edits import compatible, edits_of
from npu_lsp.linter.fixing.gate import Claim, that_hold
from npu_lsp.lsp.features.edits import has_place, let_through, workspace_edit
from npu_lsp.lsp.features.status import uri_in
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Edit

_SAFE = Text("Safe: {code} {name}", "安全：{code} {name}")
_REVIEWED = Text("To review: {code} {name}", "需审阅：{code} {name}")
_SAID = Text("{safe} safe, {review} to review", "{safe} 个可安全修复，{review} 个需审阅")
_ONLY_REVIEW = Text("{review} to review", "{review} 个需审阅")
_NOTHING = Text("Nothing to fix", "没有可执行的修复")


def review(session: Session, params: Any) -> dict[str, Any]:
    """Answer how many fixes of the document in `params` are safe and to review, what to say of that, and all of them as an edit.

    Of a cell, these are the fixes of its notebook.
    Where the client shows annotated edits, those to review wait for a yes each, and where none is to review the safe ones do, so that
    something is shown; where it doesn't, the edit is of the safe ones alone. Fixes that need files besides, and of two that touch
    each other the second, are left out.
    """
    uri = uri_in(params)
    source = session.documents.find(uri) if uri else None
    view = session.view(source) if source is not None else None
    if view is None or view.too_large:
        return {"safe": 0, "review": 0, "message": _NOTHING.en, "edit": None}
    claims = _claims(view)
    safe = sum(each.fix.safety is Safety.SAFE for each in claims)
    counts = {"safe": safe, "review": len(claims) - safe}
    said = _SAID if safe else _ONLY_REVIEW if claims else _NOTHING
    shown = claims if view.client.change_annotations else [c for c in claims if c.fix.safety is Safety.SAFE]
    return {**counts, "message": said.to(view.language).format(**counts), "edit": _edit(view, shown)}


def _claims(view: DocumentView) -> list[Claim]:
    firsts = [
        Claim(f, fix) for f in view.findings(whole=True) if (fix := f.choice(unsafe=True)) is not None and not fix.files
    ]
    placed = [each for each in firsts if has_place(view, each.fix.edits)]
    analyzer = view.project.analyzer
    holding = list(compress(placed, that_hold(view.document, analyzer.findings_of, placed, analyzer)))
    together = {id(fix) for fix in compatible(each.fix for each in holding)}
    return [each for each in holding if id(each.fix) in together]


def _edit(view: DocumentView, claims: Sequence[Claim]) -> types.WorkspaceEdit | None:
    edits = edits_of(view.document, (each.fix for each in claims))
    let = let_through(view, edits, *(each.finding for each in claims))
    if let is None:
        # Each holds, and all of them don't: the first of them may.
        return _edit(view, claims[: len(claims) // 2]) if claims else None
    names: dict[Edit, str] = {}
    annotations: dict[str, types.ChangeAnnotation] = {}
    waits = {Safety.UNSAFE} if any(each.fix.safety is Safety.UNSAFE for each in claims) else set(Safety)
    for finding, fix in claims if view.client.change_annotations else ():
        name = f"{fix.safety.value}:{finding.code}"
        annotations.setdefault(name, _annotation(view, finding, fix, fix.safety in waits))
        names |= {edit: name for edit in edits_of(view.document, [fix]) if edit not in names}
    return workspace_edit(view, let, names=names, annotations=annotations)


def _annotation(view: DocumentView, finding: Finding, fix: Fix, waits: bool) -> types.ChangeAnnotation:
    label = _SAFE if fix.safety is Safety.SAFE else _REVIEWED
    said = label.to(view.language).format(code=finding.code, name=finding.name)
    return types.ChangeAnnotation(label=said, needs_confirmation=waits, description=fix.title)
