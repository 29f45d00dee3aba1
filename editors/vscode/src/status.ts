// Tells what answers are for: target and catalog, beside the language in the status bar.

import * as vscode from "vscode";
import { SELECTOR } from "./selector";
import type { Facts, Server } from "./server";

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("npu-lsp", SELECTOR);
  private readonly listeners: vscode.Disposable;

  constructor(private readonly server: Server) {
    const refresh = () => void this.refresh();
    this.item.name = "npu-lsp";
    this.listeners = vscode.Disposable.from(
      server.onDidChange(refresh),
      vscode.window.onDidChangeActiveTextEditor(refresh),
      vscode.workspace.onDidSaveTextDocument(refresh),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("npuLsp") && refresh()),
    );
    refresh();
  }

  /** What is shown, for tests. */
  get text(): string {
    return [this.item.text, this.item.detail ?? ""].join(" · ");
  }

  async refresh(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const facts = await this.server.status(uri).catch(() => undefined);
    if (facts) this.show(facts);
    else this.showStopped();
  }

  dispose(): void {
    this.listeners.dispose();
    this.item.dispose();
  }

  private show(facts: Facts): void {
    const { cann, products } = facts.target;
    this.item.text = [cann ? `CANN ${cann}` : vscode.l10n.t("newest CANN"), ...products].join(", ");
    this.item.detail = facts.problems[0] ?? vscode.l10n.t("npu-lsp {0}, catalog of {1}", facts.version, facts.catalog);
    this.item.severity = facts.problems.length ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    this.item.command = { command: "npuLsp.openConfiguration", title: vscode.l10n.t("Configure") };
  }

  private showStopped(): void {
    this.item.text = "npu-lsp";
    this.item.detail = this.server.wanted ? vscode.l10n.t("doesn't run") : "";
    this.item.severity = this.server.wanted ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.command = { command: "npuLsp.restart", title: vscode.l10n.t("Restart") };
  }
}
