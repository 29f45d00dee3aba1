// Tells what answers are for: target and catalog, beside the language in the status bar.

import * as vscode from "vscode";
import { SELECTOR } from "./selector";
import type { Facts, Server } from "./server";
import { l10n } from "./words";

/** Milliseconds without news. */
const PAUSE = 300;

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("npu-lsp", SELECTOR);
  private readonly listeners: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    const refresh = () => void this.refresh();
    this.item.name = "npu-lsp";
    this.listeners = vscode.Disposable.from(
      server.onDidChange(refresh),
      vscode.window.onDidChangeActiveTextEditor(refresh),
      // When its configuration has changed, the server sends what it finds now, whoever changed it.
      vscode.languages.onDidChangeDiagnostics(() => {
        clearTimeout(this.timer);
        this.timer = setTimeout(refresh, PAUSE);
      }),
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
    this.item.busy = this.server.starting;
    if (facts) this.show(facts);
    else this.showStopped();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.dispose();
    this.item.dispose();
  }

  private show(facts: Facts): void {
    const { cann, versions, products } = facts.target;
    const others = Object.entries(versions).filter(([component]) => component !== "cann");
    const named = others.map(([component, version]) => `${component} ${version}`);
    this.item.text = [cann ? `CANN ${cann}` : l10n.t("Newest CANN"), ...named, ...products].join(", ");
    this.item.detail = facts.problems[0] ?? l10n.t("npu-lsp {0}, catalog of {1}", facts.version, facts.catalog);
    this.item.severity = facts.problems.length ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    this.item.command = facts.problems.length
      ? { command: "npuLsp.openConfiguration", title: l10n.t("Configure") }
      : { command: "npuLsp.chooseTarget", title: l10n.t("Change target") };
  }

  private showStopped(): void {
    const failed = this.server.wanted && !this.server.starting;
    this.item.text = "npu-lsp";
    this.item.detail = failed ? l10n.t("doesn't run") : "";
    this.item.severity = failed ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.command = { command: "npuLsp.restart", title: l10n.t("Restart") };
  }
}
