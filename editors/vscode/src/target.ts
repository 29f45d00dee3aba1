// Lets the user say what the code must run on, and writes it where the command line and CI read it, too.

import * as vscode from "vscode";
import type { Server } from "./server";

interface Targets {
  cann: string[];
  products: { id: string; name: string }[];
}

interface Edit {
  range: { start: vscode.Position; end: vscode.Position };
  newText: string;
}

/** Asks for a CANN version and products, and writes them into the configuration of the active file. */
export async function chooseTarget(server: Server): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const facts = await server.status(active);
  const targets = await server.request<Targets>("npu-lsp/targets", {});
  const folder = (active && vscode.workspace.getWorkspaceFolder(active)) ?? vscode.workspace.workspaceFolders?.[0];
  const uri = facts?.configuration
    ? vscode.Uri.file(facts.configuration)
    : folder && vscode.Uri.joinPath(folder.uri, "npu-lsp.toml");
  if (!facts || !targets) {
    server.complain(await server.reason());
    return;
  }
  if (!uri) return;

  const { cann: now, products } = facts.target;
  const version = await vscode.window.showQuickPick(
    [...new Set([...(now ? [now] : []), ...targets.cann])].map((label) => ({
      label,
      description: label === now ? vscode.l10n.t("in force") : "",
    })),
    { title: vscode.l10n.t("Target (1/2)"), placeHolder: vscode.l10n.t("The CANN version that the code must run on") },
  );
  if (!version) return;
  const chosen = await vscode.window.showQuickPick(
    [
      ...targets.products.map(({ id, name }) => ({ label: id, description: name, picked: products.includes(id) })),
      ...products.filter((id) => !targets.products.some((each) => each.id === id)).map((label) => ({ label, picked: true })),
    ],
    { canPickMany: true, title: vscode.l10n.t("Target (2/2)"), placeHolder: vscode.l10n.t("The products; none means all of them") },
  );
  if (!chosen) return;
  await write(server, uri, version.label, chosen.map((each) => each.label));
}

async function write(server: Server, uri: vscode.Uri, cann: string, products: string[]): Promise<void> {
  const edits = await server.request<Edit[]>("npu-lsp/retarget", { textDocument: { uri: uri.toString() }, cann, products });
  const change = new vscode.WorkspaceEdit();
  change.createFile(uri, { ignoreIfExists: true });
  for (const { range, newText } of edits ?? []) {
    const { start, end } = range;
    change.replace(uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  }
  if (await vscode.workspace.applyEdit(change)) await (await vscode.workspace.openTextDocument(uri)).save();
}
