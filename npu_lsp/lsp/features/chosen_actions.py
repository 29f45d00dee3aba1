"""The edit of an action that somebody chose: the client sends back what tells which one it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from lsprotocol import types

from npu_lsp.languages.model import Block
from npu_lsp.linter.findings import Finding, Fix
from npu_lsp.linter.fixing.edits import edits_of
from npu_lsp.lsp.features.choices import all_of, values
from npu_lsp.lsp.features.edits import can_create, let_through, workspace_edit
from npu_lsp.lsp.features.fix_all import fix_all
from npu_lsp.lsp.features.suppressing import Comments
from npu_lsp.lsp.features.switching_off import off
from npu_lsp.lsp.session import DocumentView, Session
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

Layout = Literal["lines", "array"]
"""How a command can be written: a flag on each line, or all of them in an array."""
Do = Layout | Literal["fix", "value", "ignore", "off", "all", "all of", "restate"]
"""What an action does: a fix of a finding, another value, the comment that silences it, the end of its rule in the configuration;
all that is safe, all of one rule; the options of a block for the other surface."""


async def resolve(session: Session, action: dict[str, Any]) -> dict[str, Any]:
    """Return an action with its edit; one whose text has changed since comes back without."""
    data = action.get("data")
    source = session.documents.find(str(data.get("uri"))) if isinstance(data, dict) else None
    if source is None or not isinstance(data, dict) or data.get("version") != source.version:
        return action
    view = session.view(source)
    # To mend everything takes many analyses, one for each rule whose fixes are made.
    edit = await session.work.result(lambda: chosen(view, data))
    return {**action, "edit": edit} if edit is not None and data["version"] == source.version else action


def chosen(view: DocumentView, data: Mapping[str, Any]) -> types.WorkspaceEdit | None:
    """Return the edit of the action that `data` tells."""
    do, number = data.get("do"), data.get("fix")
    if isinstance(number, int) and do in ("lines", "array", "restate"):
        return _rewritten(view, do, number)
    if do == "all":
        return workspace_edit(view, *fix_all(view))
    if do == "all of":
        return workspace_edit(view, *all_of(view, str(data.get("rule"))))
    finding = _told(view, data)
    return _mended(view, finding, data) if finding is not None else None


def _mended(view: DocumentView, finding: Finding, data: Mapping[str, Any]) -> types.WorkspaceEdit | None:
    """Return the edit of an action on one finding."""
    do, number = data.get("do"), data.get("fix")
    if do == "off":
        return off(view, finding.code)
    if do == "value":
        found = next((edits for value, edits in values(view, finding) if value == data.get("value")), None)
        return workspace_edit(view, let_through(view, found, finding)) if found is not None else None
    if do == "ignore":
        comments = Comments(view).that_help([finding])
        return next((workspace_edit(view, let_through(view, [edit], finding)) for _, edit in comments), None)
    if isinstance(number, int) and 0 <= number < len(finding.fixes):
        return fix_edit(view, finding, finding.fixes[number])
    return None


def _told(view: DocumentView, data: Mapping[str, Any]) -> Finding | None:
    wanted = (data.get("code"), data.get("at"), data.get("message"))
    return next((f for f in view.findings() if (f.code, list(f.span), f.message) == wanted), None)


def later(view: DocumentView, do: Do, finding: Finding | None = None, **more: object) -> dict[str, object]:
    """Return what `resolve` makes the edit of."""
    data: dict[str, object] = {"uri": view.source.uri, "version": view.source.version, "do": do, **more}
    if finding is not None:
        data |= {"code": finding.code, "at": list(finding.span), "message": finding.message}
    return data


def fix_edit(view: DocumentView, finding: Finding, fix: Fix) -> types.WorkspaceEdit | None:
    """Return the edit that makes a fix, with the files that it needs where the client can create them."""
    let = let_through(view, edits_of(view.document, [fix]), finding)
    return workspace_edit(view, let, fix.files if can_create(view) else ())


def _rewritten(view: DocumentView, do: Layout | Literal["restate"], offset: int) -> types.WorkspaceEdit | None:
    from npu_lsp.linter.tensorflow.migration import block_at, migrated

    analyzer, document, span = view.project.analyzer, view.document, Span(offset, offset)
    block = block_at(analyzer, document, span) if do == "restate" else command_at(view, span)
    if block is None:
        return None
    edits = migrated(analyzer, document, block) if do == "restate" else laid_out(view, do, block)
    return workspace_edit(view, let_through(view, edits)) if edits else None


def command_at(view: DocumentView, span: Span) -> Block | None:
    """Return the command of a script that `span` stands in."""
    if view.document.kind is not Kind.SHELL:
        return None
    held = (block for block in view.parsed.blocks if block.command is not None and span.within(block.command))
    return next(held, None)


def laid_out(view: DocumentView, do: Layout, block: Block) -> tuple[Edit, ...]:
    """Return the edits that write a command another way."""
    from npu_lsp.languages.shell import layout

    return layout.one_a_line(view.document, block) if do == "lines" else layout.in_array(view.document, block)
