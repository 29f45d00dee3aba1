// The fixes of the active file as a refactoring preview: those that are safe, and those to review.

import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import type { Server } from "./server";
import { l10n } from "./words";

interface Review {
  safe: number;
  review: number;
  /** How many there are of each, in the server's language. */
  message: string;
  edit: WorkspaceEdit | null;
}

/** Makes the safe fixes of the active file; where there is none, says how many are to review, and shows them if asked to. */
export async function fixAll(server: Server): Promise<void> {
  const found = await ask(server);
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  if (found?.safe && notebook) {
    await mend(notebook);
    return;
  }
  if (!found || found.safe > 0) {
    await vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.npu-lsp", apply: "first" });
    return;
  }
  const show = l10n.t("Show");
  const said = vscode.window.showInformationMessage(`npu-lsp: ${found.message}`, ...(found.review ? [show] : []));
  // Whoever waits for the command doesn't wait for somebody to look at the message.
  void said.then((chosen) => (chosen === show ? preview(server) : undefined));
}

/** Shows all fixes of the active file, each to be agreed to. */
export async function preview(server: Server): Promise<void> {
  const found = await ask(server);
  if (found?.edit) await server.show(found.edit);
  else if (found) void vscode.window.showInformationMessage(`npu-lsp: ${found.message}`);
}

/** Makes the safe fixes of all cells, whichever of them is active, if any is. */
async function mend(notebook: vscode.NotebookDocument): Promise<void> {
  const uri = code(notebook);
  const kind = "source.fixAll.npu-lsp";
  const asked = ["vscode.executeCodeActionProvider", uri, new vscode.Range(0, 0, 0, 0), kind, 1] as const;
  const actions = uri && (await vscode.commands.executeCommand<vscode.CodeAction[]>(...asked));
  const { edit, command } = actions?.find((action) => action.kind?.value === kind) ?? {};
  if (edit) await vscode.workspace.applyEdit(edit);
  if (command) await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

function code(notebook: vscode.NotebookDocument | undefined): vscode.Uri | undefined {
  return notebook?.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code)?.document.uri;
}

async function ask(server: Server): Promise<Review | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri ?? code(vscode.window.activeNotebookEditor?.notebook);
  return uri && server.request<Review>("npu-lsp/review", { textDocument: { uri: uri.toString() } });
}
