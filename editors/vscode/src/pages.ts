// Pages that the program writes: one for each rule, and what a bug report needs.

import * as vscode from "vscode";
import { message, type Server } from "./server";

/** In place of a recipe's name, each of which has a `/`. */
const CLOSEST = "closest";

export class Pages implements vscode.TextDocumentContentProvider {
  static readonly SCHEME = "npu-lsp";

  constructor(private readonly server: Server) {}

  /** The language that pages and reports are in. */
  static language(): string {
    const chosen = vscode.workspace.getConfiguration("npuLsp").get("language", "auto");
    return chosen !== "auto" ? chosen : vscode.env.language.startsWith("zh") ? "zh" : "en";
  }

  rule(code: string): vscode.Uri {
    return vscode.Uri.from({ scheme: Pages.SCHEME, path: `/${code}.md` });
  }

  doctor(): vscode.Uri {
    return vscode.Uri.from({ scheme: Pages.SCHEME, path: "/doctor.yaml", query: String(Date.now()) });
  }

  option(surface: string, option: string): vscode.Uri {
    return vscode.Uri.from({ scheme: Pages.SCHEME, path: `/option/${surface}/${option}.md` });
  }

  /** How a document differs from a recipe; without a name from the one that is closest to it. */
  recipe(document: string, name: string | undefined): vscode.Uri {
    return vscode.Uri.from({ scheme: Pages.SCHEME, path: `/recipe/${name ?? CLOSEST}.md`, query: JSON.stringify([document, Date.now()]) });
  }

  /** Returns what is known of an option; empty where no server runs, or none that knows it. */
  async markdown(surface: string, option: string): Promise<string> {
    const found = await this.server.request<{ markdown: string }>("npu-lsp/option", { surface, option }).catch(() => undefined);
    return found?.markdown ?? "";
  }

  private async compared(uri: string, recipe: string): Promise<string> {
    const asked = { textDocument: { uri }, ...(recipe === CLOSEST ? {} : { recipe }) };
    const page = (await this.server.request<{ markdown: string }>("npu-lsp/recipe", asked))?.markdown ?? "";
    // A narrow column of Chinese would have one sign in each line.
    return page.replace(/^\| ([\u4e00-\u9fff]{2,8}) \|/gm, "| <nobr>$1</nobr> |");
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const name = uri.path.slice(1).replace(/\.\w+$/, "");
    const option = /^option\/(\w+)\/(.+)$/.exec(name);
    if (option) return this.markdown(option[1]!, option[2]!);
    const recipe = /^recipe\/(.+)$/.exec(name);
    if (recipe) return this.compared(JSON.parse(uri.query)[0], recipe[1]!);
    try {
      if (name === "doctor") return await this.server.run("doctor").catch(withoutServer);
      return await this.server.run("rule", name, "--format", "markdown", "--lang", Pages.language());
    } catch (error) {
      return message(error);
    }
  }

  /** Lets the user choose a rule; `undefined` where they don't. */
  async choose(): Promise<string | undefined> {
    const rules = this.server.run("rule", "--list", "--lang", Pages.language()).then((text) =>
      text.split("\n").flatMap((line) => {
        const found = /^(NPU\d+)\s+\S+\s+(\S+)\s+(.*)$/.exec(line);
        return found ? [{ label: found[1]!, description: found[2]!, detail: found[3]! }] : [];
      }),
    );
    const options = { matchOnDescription: true, matchOnDetail: true, placeHolder: vscode.l10n.t("A rule") };
    try {
      return (await vscode.window.showQuickPick(rules, options))?.label;
    } catch (error) {
      void vscode.window.showErrorMessage(message(error));
      return undefined;
    }
  }
}

/** Returns what is known without the program: why it doesn't run, and where it was looked for. */
function withoutServer(error: unknown): string {
  const facts = {
    "npu-lsp": message(error),
    settings: JSON.stringify(vscode.workspace.getConfiguration("npuLsp").get("server")),
    NPU_LSP_SERVER: process.env["NPU_LSP_SERVER"] ?? "",
    PATH: process.env["PATH"] ?? "",
    editor: `${vscode.env.appName} ${vscode.version}${vscode.env.remoteName ? ` (${vscode.env.remoteName})` : ""}`,
    system: `${process.platform} ${process.arch}`,
    trusted: String(vscode.workspace.isTrusted),
  };
  return Object.entries(facts).map(([name, value]) => `${name}: ${value}\n`).join("");
}

/** Shows a page: Markdown as it is meant to look, everything else as text. */
export async function openPage(uri: vscode.Uri): Promise<void> {
  if (uri.path.endsWith(".md")) await vscode.commands.executeCommand("markdown.showPreview", uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}
