// What logs tell: a page about the log in front, or about the last command of a terminal that failed.

import { posix } from "node:path";
import * as vscode from "vscode";
import { openPage } from "./pages";
import { message, type Server } from "./server";
import { l10n } from "./words";

/** Characters of a command's output that are kept, from its end. */
const LARGEST = 4_000_000;

// Of VS Code 1.93, and of terminals whose shell tells where a command begins and ends.
interface Execution {
  read(): AsyncIterable<string>;
}
interface Executions {
  onDidStartTerminalShellExecution?: vscode.Event<{ terminal: vscode.Terminal; execution: Execution }>;
  onDidEndTerminalShellExecution?: vscode.Event<{ terminal: vscode.Terminal; execution: Execution; exitCode: number | undefined }>;
}

export class Logs implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly SCHEME = "npu-lsp-log";

  private readonly listeners: vscode.Disposable[] = [];
  private readonly outputs = new WeakMap<Execution, Promise<string>>();
  private failed: { terminal: vscode.Terminal; output: Promise<string> } | undefined;
  private page = "";
  private pages = 0;

  constructor(private readonly server: Server) {
    const { onDidStartTerminalShellExecution: started, onDidEndTerminalShellExecution: ended } = vscode.window as Executions;
    this.listeners.push(vscode.workspace.registerTextDocumentContentProvider(Logs.SCHEME, this));
    if (started && ended) {
      this.listeners.push(
        started(({ execution }) => this.outputs.set(execution, tail(execution.read()))),
        ended(({ terminal, execution, exitCode }) => {
          const output = this.outputs.get(execution);
          if (exitCode && output) this.failed = { terminal, output };
        }),
      );
    }
  }

  /** Explains what is selected in front, or all of it. */
  async explain(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return void vscode.window.showInformationMessage(l10n.t("Open a log first, or select a part of one."));
    const { document, selection } = editor;
    const selected = document.getText(selection);
    if (selected) await this.show({ text: selected });
    else if (document.uri.scheme === "file" && !document.isDirty) await this.show({ textDocument: { uri: document.uri.toString() } });
    else await this.show({ text: document.getText() });
  }

  /** Explains what the last command printed that failed, of the terminal in front where it has one. */
  async explainTerminal(): Promise<void> {
    const output = await this.failed?.output.catch(() => "");
    if (output) await this.show({ text: output });
    else void vscode.window.showInformationMessage(l10n.t("No command has failed in a terminal with shell integration."));
  }

  provideTextDocumentContent(): string {
    return this.page;
  }

  dispose(): void {
    vscode.Disposable.from(...this.listeners).dispose();
  }

  private async show(asked: object): Promise<void> {
    try {
      await this.server.start();
      const options = { location: vscode.ProgressLocation.Window, title: l10n.t("Looking for what may have caused it") };
      const found = await vscode.window.withProgress(options, () =>
        this.server.request<{ markdown: string }>("npu-lsp/explain", asked),
      );
      if (!found) throw await this.server.reason();
      this.page = linked(found.markdown);
      await openPage(vscode.Uri.from({ scheme: Logs.SCHEME, path: `/${l10n.t("Explanation")}-${++this.pages}.md` }));
    } catch (error) {
      void vscode.window.showErrorMessage(message(error));
    }
  }
}

/** Makes links to files what VS Code's preview follows: paths from the first folder, and none with a scheme; without a folder, plain text. */
function linked(markdown: string): string {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  return markdown.replace(/\[((?:\\.|[^\]\\])*)\]\((file:[^()\s]+)\)/g, (_whole, text: string, address: string) => {
    const { path, fragment } = vscode.Uri.parse(address);
    return root ? `[${text}](/${encodeURI(posix.relative(root.path, path))}#${fragment})` : text;
  });
}

/** Returns the end of what comes. */
async function tail(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text = (text + part).slice(-LARGEST);
  return text;
}
