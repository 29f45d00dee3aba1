"""What this server can do for a client.

It is plain JSON: making it from the protocol's types would cost a tenth of the time that a client waits for it.
"""

from __future__ import annotations

from typing import Any

from npu_lsp.lsp.client import Client
from npu_lsp.lsp.features.offers import OFFERS

_INCREMENTAL = 2
_CELLS = [{"language": "python"}, {"language": "shellscript"}]


def capabilities(client: Client) -> dict[str, Any]:
    """Return what is offered to `client`, no more than it takes."""
    told = ((offer.capability, offer.tells(client)) for offer in OFFERS if offer.capability)
    offered: dict[str, Any] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": {"includeText": False}},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        **{capability: about for capability, about in told if about},
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
