"""What this server can do for a client."""

from __future__ import annotations

from lsprotocol import types

from npu_lsp.features.code_actions import FIX_ALL
from npu_lsp.features.completion import TRIGGERS
from npu_lsp.features.status import COMMAND
from npu_lsp.lsp.client import Client

_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(
            cells=[types.NotebookCellLanguage("python"), types.NotebookCellLanguage("shellscript")]
        )
    ]
)


def capabilities(client: Client) -> types.ServerCapabilities:
    """Return what is offered to `client`, no more than it takes."""
    actions = types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=client.action_resolves_edit or None
    )
    return types.ServerCapabilities(
        position_encoding=client.encoding,
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True,
            change=types.TextDocumentSyncKind.Incremental,
            save=types.SaveOptions(include_text=False),
        ),
        notebook_document_sync=_NOTEBOOKS if client.notebooks else None,
        completion_provider=types.CompletionOptions(trigger_characters=list(TRIGGERS), resolve_provider=True),
        hover_provider=True,
        definition_provider=True,
        document_link_provider=types.DocumentLinkOptions(resolve_provider=False),
        document_symbol_provider=types.DocumentSymbolOptions(label="npu-lsp"),
        code_action_provider=actions if client.action_literals else None,
        diagnostic_provider=types.DiagnosticOptions(
            inter_file_dependencies=False, workspace_diagnostics=False, identifier="npu-lsp"
        )
        if client.pulls
        else None,
        execute_command_provider=types.ExecuteCommandOptions(commands=[COMMAND]),
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True)
        ),
    )
