// Lets the user say what the code must run on, and writes it where the command line and CI read it, too.

import * as vscode from "vscode";
import type { Server } from "./server";
import { l10n } from "./words";

interface Component {
  id: string;
  name: string;
  about: string;
}

interface Targets {
  components: Component[];
  versions: Record<string, string[]>;
  products: { id: string; name: string }[];
}

interface Edit {
  range: { start: vscode.Position; end: vscode.Position };
  newText: string;
}

interface Choice {
  versions?: Record<string, string | null>;
  products?: string[];
}

/** Asks for the version of a component, or for products, and writes them into the configuration of the active file. */
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

  const { versions, products } = facts.target;
  const what = await vscode.window.showQuickPick(
    [
      ...targets.components.map((component) => ({
        label: component.name,
        description: versions[component.id] ?? l10n.t("not set"),
        component,
      })),
      { label: l10n.t("Products"), description: products.join(", ") || l10n.t("all"), component: null },
    ],
    { title: l10n.t("Target (1/2)"), placeHolder: l10n.t("What the code must run on") },
  );
  if (!what) return;
  const { component } = what;
  const chosen = component
    ? await chooseVersion(component, targets.versions[component.id] ?? [], versions[component.id])
    : await chooseProducts(targets, products);
  if (chosen) await write(server, uri, chosen);
}

async function chooseVersion({ id, name, about }: Component, offered: string[], now: string | undefined): Promise<Choice | undefined> {
  const inForce = l10n.t("in force");
  const others = offered.filter((each) => each !== now).map((label) => ({ label, version: label }));
  const none = { label: l10n.t("not set"), version: null };
  // What is in force stands first, and next to it how to be rid of it.
  const choices = now
    ? [{ label: now, description: inForce, version: now }, none, ...others]
    : [...others, { ...none, description: inForce }];
  const title = `${l10n.t("Target (2/2)")}: ${name}`;
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: about.replaceAll("`", "") });
  return chosen && { versions: { [id]: chosen.version } };
}

async function chooseProducts(targets: Targets, now: string[]): Promise<Choice | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      ...targets.products.map(({ id, name }) => ({ label: id, description: name, picked: now.includes(id) })),
      ...now.filter((id) => !targets.products.some((each) => each.id === id)).map((label) => ({ label, picked: true })),
    ],
    {
      canPickMany: true,
      title: `${l10n.t("Target (2/2)")}: ${l10n.t("Products")}`,
      placeHolder: l10n.t("The products; none means all of them"),
    },
  );
  return chosen && { products: chosen.map((each) => each.label) };
}

async function write(server: Server, uri: vscode.Uri, chosen: Choice): Promise<void> {
  const edits = await server.request<Edit[]>("npu-lsp/retarget", { textDocument: { uri: uri.toString() }, ...chosen });
  const change = new vscode.WorkspaceEdit();
  change.createFile(uri, { ignoreIfExists: true });
  for (const { range, newText } of edits ?? []) {
    const { start, end } = range;
    change.replace(uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  }
  if (await vscode.workspace.applyEdit(change)) await (await vscode.workspace.openTextDocument(uri)).save();
}
