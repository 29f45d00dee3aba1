// Tells what answers are for, where that comes from, and what was found: beside the language in the status bar.

import * as vscode from "vscode";
import { SELECTOR } from "./selector";
import type { Facts, Server } from "./server";
import { l10n } from "./words";

/** Milliseconds without news. */
const PAUSE = 300;

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("npu-lsp", SELECTOR);
  private readonly found = vscode.languages.createLanguageStatusItem("npu-lsp.findings", SELECTOR);
  private readonly listeners: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  /** What the server said last. */
  private facts: Facts | undefined;

  constructor(private readonly server: Server) {
    const refresh = () => void this.refresh();
    this.item.name = "npu-lsp";
    this.found.name = l10n.t("npu-lsp: findings");
    this.listeners = vscode.Disposable.from(
      server.onDidChange(refresh),
      server.onDidScan(() => this.facts && this.showFound(this.facts)),
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
    return [this.item, this.found].flatMap((each) => [each.text, each.detail]).filter(Boolean).join(" · ");
  }

  async refresh(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const facts = await this.server.status(uri).catch(() => undefined);
    this.facts = facts;
    this.item.busy = this.server.starting;
    if (facts) this.show(facts);
    else this.showStopped();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.dispose();
    this.item.dispose();
    this.found.dispose();
  }

  private show(facts: Facts): void {
    const { cann, versions, products, from, said } = facts.target;
    const all = { ...versions, ...Object.fromEntries(Object.entries(said).map(([component, [version]]) => [component, version])) };
    const { cann: _, ...others } = all;
    const named = Object.entries(others).map(([component, version]) => `${component} ${version}`);
    const newest = all.cann ?? cann;
    this.item.text = [newest ? `CANN ${newest}` : l10n.t("Newest CANN"), ...named, ...products].join(", ");
    const where = { ...from, ...Object.fromEntries(Object.entries(said).map(([component, [, place]]) => [component, place])) };
    const told = Object.entries(where).map(([name, place]) => `${name === "products" ? l10n.t("Products") : name}: ${shown(place)}`);
    // One line for each: what doesn't fit into a window is cut off with the command behind it.
    this.item.detail = facts.problems[0] ?? (told.join("; ") || about(facts));
    this.item.severity = facts.problems.length ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    this.item.command = facts.problems.length
      ? { command: "npuLsp.openConfiguration", title: l10n.t("Configure") }
      : { command: "npuLsp.chooseTarget", title: l10n.t("Change target") };
    this.showFound(facts);
  }

  private showFound(facts: Facts): void {
    const { scan } = this.server;
    const counts = facts.document?.findings;
    const some = counts && counts.errors + counts.others > 0;
    this.found.text = !counts ? "npu-lsp" : some ? l10n.t("errors: {0}, others: {1}, fixes to review: {2}", counts.errors, counts.others, counts.review) : l10n.t("No findings");
    this.found.detail = scan?.message ?? (this.item.detail === about(facts) ? "" : about(facts));
    this.found.busy = scan !== undefined;
    this.found.command = scan
      ? { command: "npuLsp.stopScan", title: l10n.t("Stop") }
      : { command: "npuLsp.showOutput", title: l10n.t("Show output") };
  }

  private showStopped(): void {
    const failed = this.server.wanted && !this.server.starting;
    this.item.text = "npu-lsp";
    this.item.detail = failed ? l10n.t("doesn't run") : "";
    this.item.severity = failed ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.command = { command: "npuLsp.restart", title: l10n.t("Restart") };
    this.found.text = "npu-lsp";
    this.found.detail = "";
    this.found.busy = false;
    this.found.command = { command: "npuLsp.showOutput", title: l10n.t("Show output") };
  }
}

function about({ version, catalog }: Facts): string {
  return l10n.t("npu-lsp {0}, catalog of {1}", version, catalog);
}

/** A file as it is seen from the workspace; words stay as they are. */
function shown(place: string): string {
  return place.startsWith("/") || /^[A-Za-z]:\\/.test(place) ? vscode.workspace.asRelativePath(place) : place;
}
