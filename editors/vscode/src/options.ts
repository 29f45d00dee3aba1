// The options that there are, in the side bar: by surface and group, and those of the workspace with their places.

import * as vscode from "vscode";
import type { Pages } from "./pages";
import { openPage } from "./pages";
import type { Server } from "./server";
import { l10n } from "./words";

export interface Option {
  surface: string;
  option: string;
  /** As people write it. */
  name: string;
}

interface Known extends Option {
  /** One line about it; missing where nothing is known of it. */
  summary?: string;
  struck?: boolean;
  usable?: boolean;
}

interface Surface {
  surface: string;
  title: string;
  groups: { title: string; options: Omit<Known, "surface">[] }[];
}

interface Place {
  location: { uri: string; range: { start: vscode.Position; end: vscode.Position } };
  value: string;
}

interface Used extends Known {
  /** What its surface is called. */
  title: string;
  places: Place[];
}

/** A line of the tree. */
type Node =
  | { kind: "workspace" }
  | { kind: "used"; title: string; options: Used[] }
  | { kind: "nothing" }
  | { kind: "surface"; surface: Surface }
  | { kind: "group"; surface: Surface; title: string }
  | { kind: "option"; option: Known; places: Place[] }
  | { kind: "place"; place: Place };

/** Milliseconds without news, after which marks are made anew. */
const PAUSE = 500;

export class Options implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly listeners: vscode.Disposable;
  private surfaces: Surface[] | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The language may be another one: what is shown is asked for anew once the findings are there in it. */
  private otherSettings = false;

  constructor(
    private readonly server: Server,
    private readonly pages: Pages,
  ) {
    this.listeners = vscode.Disposable.from(
      server.onDidChange(() => this.forget()),
      vscode.languages.onDidChangeDiagnostics(() => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => (this.otherSettings ? this.forget() : this.changed.fire()), PAUSE);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        this.otherSettings ||= event.affectsConfiguration("npuLsp");
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.dispose();
    this.changed.dispose();
  }

  /** Asks for everything anew; starts the server where none runs any more. */
  async refresh(): Promise<void> {
    if (!this.server.running) await this.server.restart();
    this.forget();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const surfaces = await this.known();
    if (!node) {
      if (!surfaces.length) return [];
      return [{ kind: "workspace" }, ...surfaces.map((surface): Node => ({ kind: "surface", surface }))];
    }
    if (node.kind === "workspace") return this.inWorkspace();
    if (node.kind === "used") return node.options.map((each) => option(each, each.places));
    if (node.kind === "surface") return node.surface.groups.map(({ title }) => ({ kind: "group", surface: node.surface, title }));
    if (node.kind === "group") {
      const group = node.surface.groups.find(({ title }) => title === node.title);
      return (group?.options ?? []).map((each) => option({ ...each, surface: node.surface.surface }));
    }
    return node.kind === "option" ? node.places.map((place) => ({ kind: "place", place })) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if (node.kind === "workspace") {
      const item = new vscode.TreeItem(l10n.t("In this workspace"), Collapsed);
      // What is open stays open when it is called something else in another language.
      item.id = "workspace";
      item.iconPath = new vscode.ThemeIcon("root-folder");
      return item;
    }
    if (node.kind === "used") return new vscode.TreeItem(node.title, Expanded);
    if (node.kind === "nothing") return new vscode.TreeItem(l10n.t("No file sets an option"), None);
    if (node.kind === "surface") {
      const item = new vscode.TreeItem(node.surface.title, Collapsed);
      item.id = `surface ${node.surface.surface}`;
      return item;
    }
    if (node.kind === "group") return new vscode.TreeItem(node.title, Collapsed);
    if (node.kind === "place") return placeItem(node.place);
    const item = new vscode.TreeItem(node.option.name, node.places.length ? Collapsed : None);
    const found = findings(node.option);
    item.description = [...marks(node.option, node.places, found), node.option.summary].filter(Boolean).join(" · ");
    item.contextValue = "option";
    item.iconPath = icon(found, node.option);
    // Of a name that nobody knows, there is no page to open: its places are in the list.
    if (node.option.summary !== undefined) item.command = { command: "npuLsp.openOption", title: "", arguments: [node.option] };
    return item;
  }

  /** A hover of the list says what one in a text says; it is fetched when it is looked at. */
  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    const text = node.kind === "option" ? await this.pages.markdown(node.option.surface, node.option.option) : "";
    if (text) item.tooltip = new vscode.MarkdownString(text);
    return item;
  }

  /** Lets the user look for an option by name or meaning, and shows it. */
  async search(): Promise<void> {
    const items = this.known().then((surfaces) =>
      surfaces.flatMap(({ surface, title, groups }) =>
        groups.flatMap(({ options }) =>
          options.map((each) => ({
            label: each.struck ? `$(circle-slash) ${each.name}` : each.name,
            description: title,
            detail: each.summary ?? "",
            option: { ...each, surface },
          })),
        ),
      ),
    );
    const settings = { matchOnDescription: true, matchOnDetail: true, placeHolder: l10n.t("An option: its name, or what it does") };
    const chosen = await vscode.window.showQuickPick(items, settings);
    if (chosen) await this.open(chosen.option);
  }

  open(chosen: Option): Promise<void> {
    return openPage(this.pages.option(chosen.surface, chosen.option));
  }

  private forget(): void {
    this.surfaces = undefined;
    this.otherSettings = false;
    this.changed.fire();
  }

  /** Returns what there is; whoever looks at the list wants the server. */
  private async known(): Promise<Surface[]> {
    await this.server.start();
    // Its answer tells the language of all that is listed.
    if (!this.surfaces) await this.server.status(undefined).catch(() => undefined);
    this.surfaces ??= await this.server.request<Surface[]>("npu-lsp/options", {}).catch(() => undefined);
    return this.surfaces ?? [];
  }

  private async inWorkspace(): Promise<Node[]> {
    const found = await this.server.request<Used[]>("npu-lsp/settings", {}).catch(() => undefined);
    if (!found?.length) return [{ kind: "nothing" }];
    const surfaces = new Map<string, Used[]>();
    for (const each of found) surfaces.set(each.title, [...(surfaces.get(each.title) ?? []), each]);
    const titles = [...surfaces.keys()].sort((one, other) => one.localeCompare(other));
    return titles.map((title) => ({ kind: "used", title, options: surfaces.get(title)! }));
  }
}

function option(known: Known, places: Place[] = []): Node {
  return { kind: "option", option: known, places };
}

function placeItem({ location, value }: Place): vscode.TreeItem {
  const uri = vscode.Uri.parse(location.uri);
  const { start, end } = location.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  const item = new vscode.TreeItem(`${vscode.workspace.asRelativePath(uri)}:${start.line + 1}`);
  item.description = value;
  item.command = { command: "vscode.open", title: "", arguments: [uri, { selection }] };
  return item;
}

/** Returns what the editor shows about an option anywhere, by the name that the finding has. */
function findings({ option, surface }: Option): vscode.Diagnostic[] {
  type Ours = vscode.Diagnostic & { data?: { option?: string; surface?: string } };
  return vscode.languages
    .getDiagnostics()
    .flatMap(([, found]) => found as Ours[])
    .filter(({ source, data }) => source === "npu-lsp" && data?.option === option && data.surface === surface);
}

function icon(found: vscode.Diagnostic[], { summary, struck }: Known): vscode.ThemeIcon {
  const worst = Math.min(...found.map(({ severity }) => severity), vscode.DiagnosticSeverity.Hint);
  if (worst === vscode.DiagnosticSeverity.Error) return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  if (worst === vscode.DiagnosticSeverity.Warning) return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  if (summary === undefined) return new vscode.ThemeIcon("question");
  return new vscode.ThemeIcon(struck ? "circle-slash" : "symbol-property");
}

/** Returns what the line of an option says before its summary. */
function marks({ summary, usable }: Known, places: Place[], found: vscode.Diagnostic[]): string[] {
  const marked = [];
  if (found.length) marked.push(found.length === 1 ? l10n.t("1 finding") : l10n.t("{0} findings", found.length));
  if (places.length) marked.push(places.length === 1 ? l10n.t("1 place") : l10n.t("{0} places", places.length));
  if (summary === undefined) marked.push(l10n.t("unknown name"));
  else if (!usable) marked.push(l10n.t("not for the target"));
  return marked;
}
