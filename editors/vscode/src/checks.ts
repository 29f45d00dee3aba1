// Checks whole folders when somebody asks, as CI does; the server speaks of open files only.

import { spawn } from "node:child_process";
import * as vscode from "vscode";
import type { Command } from "./locate";
import { Pages } from "./pages";
import { message, type Server } from "./server";

/** A line of `npu-lsp check --output-format json-lines`: lines and columns from 1, columns in code points. */
interface Finding {
  path: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  code: string;
  severity: "error" | "warning" | "info" | "hint";
  message: string;
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

export class Checks implements vscode.Disposable {
  private readonly found = vscode.languages.createDiagnosticCollection("npu-lsp check");
  // From here on the server says what is in the file.
  private readonly opened = vscode.workspace.onDidOpenTextDocument((document) => this.found.delete(document.uri));

  constructor(
    private readonly server: Server,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    this.found.dispose();
    this.opened.dispose();
  }

  /** Checks every folder of the workspace and lists what there is in closed files among the problems. */
  async checkWorkspace(): Promise<void> {
    const title = vscode.l10n.t("npu-lsp checks the workspace");
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    try {
      const count = await vscode.window.withProgress(options, (_, token) => this.check(token));
      if (count === undefined) return;
      const show = vscode.l10n.t("Show");
      const text = count ? vscode.l10n.t("npu-lsp found {0} problems.", count) : vscode.l10n.t("npu-lsp found no problems.");
      void vscode.window.showInformationMessage(text, ...(count ? [show] : [])).then((answer) => {
        if (answer === show) void vscode.commands.executeCommand("workbench.actions.view.problems");
      });
    } catch (error) {
      this.output.error(message(error));
      void vscode.window.showErrorMessage(vscode.l10n.t("npu-lsp doesn't run: {0}", message(error)));
    }
  }

  /** Returns how many findings there are, those in open files included; `undefined` when somebody cancelled. */
  private async check(token: vscode.CancellationToken): Promise<number | undefined> {
    const byFile = new Map<string, { uri: vscode.Uri; findings: Finding[] }>();
    let count = 0;
    const program = await this.server.locate();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      for (const finding of await this.findings(program, folder, token)) {
        const uri = vscode.Uri.joinPath(folder.uri, finding.path);
        const file = byFile.get(uri.toString()) ?? { uri, findings: [] };
        byFile.set(uri.toString(), file);
        file.findings.push(finding);
        count += 1;
      }
      if (token.isCancellationRequested) return undefined;
    }
    const open = new Set(vscode.workspace.textDocuments.map((document) => document.uri.toString()));
    this.found.clear();
    for (const [key, { uri, findings }] of byFile) {
      if (!open.has(key)) this.found.set(uri, await diagnostics(uri, findings));
    }
    return count;
  }

  private findings({ command, args }: Command, folder: vscode.WorkspaceFolder, token: vscode.CancellationToken): Promise<Finding[]> {
    // Known findings stay known: only the command itself writes.
    const check = [...args, "check", "--output-format", "json-lines", "--baseline-mode", "keep", "--lang", Pages.language(), "."];
    this.output.info(`running ${[command, ...check].join(" ")} in ${folder.uri.fsPath}`);
    return new Promise((resolve, reject) => {
      const options = { cwd: folder.uri.fsPath, env: { ...process.env, PYTHONIOENCODING: "utf-8" } };
      const process_ = spawn(command, check, { ...options, stdio: ["ignore", "pipe", "pipe"] });
      const cancelled = token.onCancellationRequested(() => process_.kill());
      let [report, complaint] = ["", ""];
      process_.stdout.setEncoding("utf-8").on("data", (text: string) => (report += text));
      process_.stderr.setEncoding("utf-8").on("data", (text: string) => (complaint += text));
      process_.on("error", reject);
      process_.on("close", (code) => {
        cancelled.dispose();
        if (token.isCancellationRequested) resolve([]);
        else if (code !== 0 && code !== 1) reject(new Error(complaint.trim().split("\n").at(-1) || `exit code ${code}`));
        else resolve(report.split("\n").flatMap((line) => (line.trim() ? [JSON.parse(line) as Finding] : [])));
      });
    });
  }
}

async function diagnostics(uri: vscode.Uri, findings: Finding[]): Promise<vscode.Diagnostic[]> {
  const lines = await vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes).split(/\r\n|\n|\r/),
    () => [],
  );
  const position = (line: number, column: number) => {
    const before = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("");
    return new vscode.Position(line - 1, before.length);
  };
  return findings.map((each) => {
    const range = new vscode.Range(position(each.line, each.column), position(each.end_line, each.end_column));
    const diagnostic = new vscode.Diagnostic(range, each.message, SEVERITIES[each.severity]);
    diagnostic.source = "npu-lsp";
    diagnostic.code = { value: each.code, target: Pages.link(each.code) };
    return diagnostic;
  });
}
