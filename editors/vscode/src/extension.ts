// The extension's outside: commands, settings, and when the server is started.

import * as vscode from "vscode";
import { type Deed, DO } from "./actions";
import { Logs } from "./logs";
import { type Option, Options } from "./options";
import { openPage, Pages } from "./pages";
import { fixAll, preview } from "./review";
import { matches } from "./selector";
import { SECTION, Server } from "./server";
import { Status } from "./status";
import { chooseTarget } from "./target";

export async function activate(context: vscode.ExtensionContext): Promise<{ server: Server; status: Status; options: Options }> {
  const output = vscode.window.createOutputChannel("npu-lsp", { log: true });
  const server = new Server(output, context.extension, context.globalState);
  const pages = new Pages(server);
  const status = new Status(server);
  const options = new Options(server, pages);
  const logs = new Logs(server);
  const command = (name: string, run: (...args: never[]) => unknown) => vscode.commands.registerCommand(`${SECTION}.${name}`, run);
  context.subscriptions.push(
    output,
    status,
    options,
    logs,
    vscode.window.createTreeView("npuLsp.options", { treeDataProvider: options, showCollapseAll: true }),
    { dispose: () => void server.stop() },
    // The walk-through and the empty list of options ask for it.
    server.onDidChange(() => vscode.commands.executeCommand("setContext", `${SECTION}.state`, server.state)),
    vscode.workspace.registerTextDocumentContentProvider(Pages.SCHEME, pages),
    command("restart", () => server.restart()),
    command("showOutput", () => output.show()),
    command("stopScan", () => server.stopScan()),
    command("doctor", () => openPage(pages.doctor())),
    command("openRule", async (code?: string) => {
      const chosen = code ?? (await pages.choose());
      if (chosen) await openPage(pages.rule(chosen));
    }),
    command("fixAll", () => fixAll(server)),
    command("reviewFixes", () => preview(server)),
    command("compareRecipe", async (uri?: string, recipe?: string) => {
      const document = uri ?? vscode.window.activeTextEditor?.document.uri.toString();
      if (document) await openPage(pages.recipe(document, recipe));
    }),
    command("explainLog", () => logs.explain()),
    command("explainTerminal", () => logs.explainTerminal()),
    command("openConfiguration", () => openConfiguration(server)),
    command("chooseTarget", () => chooseTarget(server)),
    command("searchOptions", () => options.search()),
    command("refreshOptions", () => options.refresh()),
    command("openOption", (chosen: Option) => options.open(chosen)),
    command("findSettings", (node: { option: { option: string } }) =>
      vscode.commands.executeCommand("workbench.action.quickOpen", `#${node.option.option}`),
    ),
    command("showReferences", showReferences),
    vscode.commands.registerCommand(DO, (deed: Deed) => deed.do()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.server`) && server.wanted) await server.restart();
    }),
    // Opening a file of another language must not cost a process.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (matches(document)) void server.start();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!server.wanted && matches(document)) void server.start();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(async () => {
      if (server.wanted && !server.running) await server.restart();
    }),
  );
  if (vscode.workspace.textDocuments.some(matches)) await server.start();
  return { server, status, options };
}

/** Opens the configuration that counts for the active file; where there is none, an unsaved one for its folder. */
async function openConfiguration(server: Server): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const facts = await server.status(active).catch(() => undefined);
  if (facts?.configuration) {
    await vscode.window.showTextDocument(vscode.Uri.file(facts.configuration));
    return;
  }
  const folder = (active && vscode.workspace.getWorkspaceFolder(active)) ?? vscode.workspace.workspaceFolders?.[0];
  if (!folder) return;
  const uri = vscode.Uri.joinPath(folder.uri, "npu-lsp.toml").with({ scheme: "untitled" });
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  // Without a server nobody knows what is in force: an empty file says nothing wrong.
  const begun = await server.request<{ text: string }>("npu-lsp/newConfiguration", { textDocument: { uri: active?.toString() ?? "" } });
  if (begun && !editor.document.getText()) {
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), begun.text));
  }
}

/** Shows where else something is set, as the lens above it says. */
async function showReferences(uri: string, start: { line: number; character: number }): Promise<void> {
  const [document, position] = [vscode.Uri.parse(uri), new vscode.Position(start.line, start.character)];
  const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", document, position);
  await vscode.commands.executeCommand("editor.action.showReferences", document, position, found ?? []);
}
