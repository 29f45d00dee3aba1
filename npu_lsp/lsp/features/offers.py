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
STATUS = "npu-lsp/status"
TARGETS = "npu-lsp/targets"
RETARGET = "npu-lsp/retarget"
OPTIONS = "npu-lsp/options"
OPTION = "npu-lsp/option"
SETTINGS = "npu-lsp/settings"
"""Requests of our own, for a client that has its own menus."""

TOKEN_TYPES = ("property", "variable", "enumMember")
TOKEN_MODIFIERS = ("deprecated",)
"""What a semantic token's numbers mean."""

_TRIGGERS = ('"', "'", ".", "-", "=", "[", "(", ",", " ")


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


class Offer(NamedTuple):
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


OFFERS: tuple[Offer, ...] = (
    Offer(
        "textDocument/completion",
        "completion.completion",
        capability="completionProvider",
        tells=lambda _: {"triggerCharacters": list(_TRIGGERS), "resolveProvider": True},
        whole=False,
    ),
    Offer("completionItem/resolve", "completion.resolve", "item"),
    Offer("textDocument/hover", "hover.hover", capability="hoverProvider"),
    Offer(
        "textDocument/definition",
        "definition.definition",
        capability="definitionProvider",
        tells=lambda _: {"workDoneProgress": True},
    ),
    Offer(
        "textDocument/references",
        "references.references",
        capability="referencesProvider",
        tells=lambda _: {"workDoneProgress": True},
    ),
    Offer("textDocument/documentHighlight", "highlights.highlights", capability="documentHighlightProvider"),
    Offer(
        "workspace/symbol",
        "workspace_symbols.workspace_symbols",
        "session",
        capability="workspaceSymbolProvider",
        tells=lambda _: {"workDoneProgress": True},
    ),
    Offer(
        "textDocument/documentLink",
        "document_links.document_links",
        capability="documentLinkProvider",
        tells=lambda _: {"resolveProvider": False},
    ),
    Offer(
        "textDocument/signatureHelp",
        "signatures.signatures",
        capability="signatureHelpProvider",
        tells=lambda _: {"triggerCharacters": ["(", ","], "retriggerCharacters": ["="]},
        whole=False,
    ),
    Offer(
        "textDocument/inlayHint",
        "inlay_hints.inlay_hints",
        capability="inlayHintProvider",
        tells=lambda _: {"resolveProvider": False},
    ),
    Offer(
        "textDocument/codeLens",
        "code_lenses.code_lenses",
        capability="codeLensProvider",
        tells=lambda _: {"resolveProvider": True},
    ),
    Offer("codeLens/resolve", "code_lenses.resolve", "item"),
    Offer("textDocument/foldingRange", "folding.folding", capability="foldingRangeProvider", whole=False),
    Offer("textDocument/selectionRange", "selection.selection", capability="selectionRangeProvider"),
    Offer(
        "textDocument/semanticTokens/full",
        "semantic_tokens.semantic_tokens",
        capability="semanticTokensProvider",
        tells=_tokens,
    ),
    Offer("textDocument/semanticTokens/range", "semantic_tokens.in_range"),
    Offer("textDocument/prepareRename", "renaming.prepare"),
    Offer(
        "textDocument/rename",
        "renaming.rename",
        capability="renameProvider",
        tells=lambda client: {"prepareProvider": True} if client.prepares_rename else True,
    ),
    Offer(
        "textDocument/documentSymbol",
        "document_symbols.document_symbols",
        capability="documentSymbolProvider",
        tells=lambda _: {"label": "npu-lsp"},
    ),
    Offer("textDocument/codeAction", "code_actions.code_actions", capability="codeActionProvider", tells=_actions),
    Offer("codeAction/resolve", "code_actions.resolve", "item"),
    Offer(
        "workspace/executeCommand",
        "status.execute",
        "session",
        capability="executeCommandProvider",
        tells=lambda _: {"commands": [STATUS_COMMAND]},
    ),
    Offer(STATUS, "status.status", "session"),
    Offer(TARGETS, "targets.targets", "session"),
    Offer(RETARGET, "targets.retarget", "session"),
    Offer(OPTIONS, "explorer.options", "session"),
    Offer(OPTION, "explorer.option", "session"),
    Offer(SETTINGS, "explorer.settings", "session"),
)
