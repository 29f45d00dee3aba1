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

async function ask(server: Server): Promise<Review | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && server.request<Review>("npu-lsp/review", { textDocument: { uri: uri.toString() } });
}
