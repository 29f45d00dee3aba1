"""What this server can do for a client.

It is plain JSON: making it from the protocol's types would cost a tenth of the time that a client waits for it.
"""

from __future__ import annotations

from typing import Any

from npu_lsp.lsp.client import Client

FIX_ALL = "source.fixAll.npu-lsp"
"""The kind of the action that mends all that is safe to mend."""
STATUS_COMMAND = "npu-lsp.status"
STATUS = "npu-lsp/status"
TARGETS = "npu-lsp/targets"
RETARGET = "npu-lsp/retarget"
"""Requests of our own, for a client that has its own menus."""

_INCREMENTAL = 2
_TRIGGERS = ('"', "'", ".", "-", "=", "[", "(", ",", " ")
_CELLS = [{"language": "python"}, {"language": "shellscript"}]


def capabilities(client: Client) -> dict[str, Any]:
    """Return what is offered to `client`, no more than it takes."""
    offered: dict[str, Any] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": {"includeText": False}},
        "completionProvider": {"triggerCharacters": list(_TRIGGERS), "resolveProvider": True},
        "hoverProvider": True,
        "definitionProvider": True,
        "documentLinkProvider": {"resolveProvider": False},
        "documentSymbolProvider": {"label": "npu-lsp"},
        "executeCommandProvider": {"commands": [STATUS_COMMAND]},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.action_literals:
        offered["codeActionProvider"] = {
            "codeActionKinds": ["quickfix", FIX_ALL],
            "resolveProvider": client.action_resolves_edit,
        }
    if client.pulls:
        offered["diagnosticProvider"] = {
            "identifier": "npu-lsp",
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
        }
    if client.notebooks:
        offered["notebookDocumentSync"] = {"notebookSelector": [{"notebook": "*", "cells": _CELLS}]}
    return offered
