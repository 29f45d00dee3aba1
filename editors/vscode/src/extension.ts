// Starts the npu-lsp server for the languages that it reads, once, and says once when that fails.

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { locate } from "./locate";

const SECTION = "npuLsp";
const LANGUAGES = ["python", "shellscript", "dockerfile", "markdown", "yaml", "makefile"];
const SIDECAR = "**/{op_precision*.ini,op_cache.ini,*mixlist*.json,*fusion_switch*.{cfg,json},*aipp*.{cfg,config}}";
const NEEDS_RESTART = [`${SECTION}.server`];

let client: LanguageClient | undefined;
let output: vscode.LogOutputChannel;

export async function activate(context: vscode.ExtensionContext): Promise<{ client: () => LanguageClient | undefined }> {
  output = vscode.window.createOutputChannel("npu-lsp", { log: true });
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand(`${SECTION}.restart`, restart),
    vscode.commands.registerCommand(`${SECTION}.showOutput`, () => output.show()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (NEEDS_RESTART.some((key) => event.affectsConfiguration(key))) await restart();
    }),
  );
  await start();
  return { client: () => client };
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const found = await locate(settings.get("server.path", ""), folder);
  if (!found) {
    await failed(vscode.l10n.t("no npu-lsp was found. Install it with `pip install npu-lsp`, or set its path."));
    return;
  }
  const args = [...found.args, "serve", ...settings.get<string[]>("server.arguments", [])];
  output.info(`starting ${[found.command, ...args].join(" ")}`);
  const serverOptions: ServerOptions = { command: found.command, args, options: { env: process.env } };
  client = new LanguageClient(SECTION, "npu-lsp", serverOptions, clientOptions());
  try {
    await client.start();
  } catch (error) {
    await failed(error instanceof Error ? error.message : String(error));
  }
}

function clientOptions(): LanguageClientOptions {
  return {
    documentSelector: [
      ...LANGUAGES.flatMap((language) => [
        { scheme: "file", language },
        { scheme: "untitled", language },
        { scheme: "vscode-notebook-cell", language },
      ]),
      { scheme: "file", pattern: SIDECAR },
    ],
    synchronize: {
      configurationSection: SECTION,
      fileEvents: vscode.workspace.createFileSystemWatcher("**/{npu-lsp.toml,.npu-lsp.toml,pyproject.toml}"),
    },
    initializationOptions: JSON.parse(JSON.stringify(vscode.workspace.getConfiguration(SECTION))) as object,
    outputChannel: output,
    // A server that ends is not started again and again: one message, and a command to restart it.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => ({ action: CloseAction.DoNotRestart }),
    },
  };
}

async function failed(reason: string): Promise<void> {
  output.error(reason);
  const settings = vscode.l10n.t("Open settings");
  const show = vscode.l10n.t("Show output");
  const answer = await vscode.window.showErrorMessage(vscode.l10n.t("npu-lsp could not be started: {0}", reason), settings, show);
  if (answer === settings) await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.server.path`);
  if (answer === show) output.show();
}
