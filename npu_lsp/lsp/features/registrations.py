"""What is answered, one row each: the method, the handler, and what the client is told of it when the session begins.

Nothing else lists them. A row names its handler and imports nothing: most handlers are loaded with their first request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from npu_lsp.lsp.client import Client

FIX_ALL = "source.fixAll.npu-lsp"
"""The kind of the action that mends all that is safe to mend."""
STATUS_COMMAND = "npu-lsp.status"
EXPLAIN_COMMAND = "npu-lsp.explain"
COMPARE_COMMAND = "npuLsp.compareRecipe"
"""The command of a client that shows recipes."""
STATUS = "npu-lsp/status"
_TARGETS = "npu-lsp/targets"
RETARGET = "npu-lsp/retarget"
NEW = "npu-lsp/newConfiguration"
OPTIONS = "npu-lsp/options"
OPTION = "npu-lsp/option"
SETTINGS = "npu-lsp/settings"
_REVIEW = "npu-lsp/review"
_RECIPE = "npu-lsp/recipe"
EXPLAIN = "npu-lsp/explain"
"""Requests of our own, for a client that has its own menus."""

TOKEN_TYPES = ("property", "variable", "enumMember")
TOKEN_MODIFIERS = ("deprecated",)
"""What a semantic token's numbers mean."""

_TRIGGERS = ('"', "'", ".", "-", "=", "[", "(", ",", " ", "$", "{", ":")
"""Signs that open a list in one of the languages; in the others the handler has nothing to say to them."""


def _always(_client: Client) -> bool:
    return True


def _tokens(client: Client) -> dict[str, Any] | None:
    if not client.semantic_tokens:
        return None
    legend = {"tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS}
    return {"legend": legend, "full": True, "range": True}


def _actions(client: Client) -> dict[str, Any] | None:
    if not client.action_literals:
        return None
    return {
        "codeActionKinds": ["quickfix", FIX_ALL, "refactor.rewrite"],
        "resolveProvider": client.action_resolves_edit,
    }


class Registration(NamedTuple):
    """One request of the client."""

    method: str
    handler: str
    """`module.function` below `npu_lsp.lsp.features`."""
    about: Literal["document", "item", "session"] = "document"
    """What the handler gets besides the parameters: the view of an open document, or the session; `item`: what comes
    back as the client got it."""
    capability: str = ""
    """Its name in the server's capabilities; empty for what another row's says."""
    tells: Callable[[Client], Any] = _always
    """Returns what the capability is; nothing, and this client isn't offered it."""
    whole: bool = True
    """Documents: all of the text must have been read for it."""


_PROGRESS = {"workDoneProgress": True}
_IN_ONE_PIECE = {"resolveProvider": False}


def _said(capability: dict[str, Any]) -> Callable[[Client], Any]:
    """Return a function that offers every client the same `capability`."""
    return lambda _client: capability


def _about_text(
    name: str, handler: str, tells: Callable[[Client], Any] = _always, *, whole: bool = True, provider: str = ""
) -> Registration:
    """Return the row of `textDocument/NAME`, whose capability the protocol calls `NAMEProvider` as a rule."""
    return Registration(f"textDocument/{name}", handler, "document", provider or f"{name}Provider", tells, whole)


REGISTRATIONS: tuple[Registration, ...] = (
    _about_text(
        "completion",
        "completion.completion",
        _said({"triggerCharacters": list(_TRIGGERS), "resolveProvider": True}),
        whole=False,
    ),
    Registration("completionItem/resolve", "completion.resolve", "item"),
    _about_text("hover", "hover.hover"),
    _about_text("definition", "definition.definition", _said(_PROGRESS)),
    _about_text("references", "references.references", _said(_PROGRESS)),
    _about_text("documentHighlight", "highlights.highlights"),
    Registration(
        "workspace/symbol",
        "workspace_symbols.workspace_symbols",
        "session",
        capability="workspaceSymbolProvider",
        tells=_said(_PROGRESS),
    ),
    _about_text("documentLink", "document_links.document_links", _said(_IN_ONE_PIECE)),
    _about_text(
        "signatureHelp",
        "signatures.signatures",
        _said({"triggerCharacters": ["(", ","], "retriggerCharacters": ["="]}),
        whole=False,
    ),
    _about_text("inlayHint", "inlay_hints.inlay_hints", _said(_IN_ONE_PIECE)),
    _about_text("codeLens", "code_lenses.code_lenses", _said({"resolveProvider": True})),
    Registration("codeLens/resolve", "code_lenses.resolve", "item"),
    _about_text("foldingRange", "folding.folding", whole=False),
    _about_text("selectionRange", "selection.selection"),
    _about_text("semanticTokens/full", "semantic_tokens.semantic_tokens", _tokens, provider="semanticTokensProvider"),
    Registration("textDocument/semanticTokens/range", "semantic_tokens.in_range"),
    Registration("textDocument/prepareRename", "renaming.prepare"),
    _about_text(
        "rename", "renaming.rename", lambda client: {"prepareProvider": True} if client.prepares_rename else True
    ),
    _about_text("documentSymbol", "document_symbols.document_symbols", _said({"label": "npu-lsp"})),
    _about_text("codeAction", "code_actions.answer", _actions),
    Registration("codeAction/resolve", "chosen_actions.resolve", "item"),
    Registration(
        "workspace/executeCommand",
        "status.execute",
        "session",
        capability="executeCommandProvider",
        tells=_said({"commands": [STATUS_COMMAND, EXPLAIN_COMMAND]}),
    ),
    Registration(STATUS, "status.status", "session"),
    Registration(_TARGETS, "targets.targets", "session"),
    Registration(RETARGET, "targets.retarget", "session"),
    Registration(NEW, "targets.new_configuration", "session"),
    Registration(OPTIONS, "explorer.options", "session"),
    Registration(OPTION, "explorer.option", "session"),
    Registration(SETTINGS, "explorer.settings", "session"),
    Registration(_REVIEW, "review.review", "session"),
    Registration(_RECIPE, "profile_actions.compared", "session"),
    Registration(EXPLAIN, "logs.explain", "session"),
)
