// The server's process: started once, again when it crashes, though not for ever, and one message when that fails.

import * as vscode from "vscode";
import {
  CloseAction,
  DocumentDiagnosticRequest,
  type DynamicFeature,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  State,
  type StaticFeature,
  type WorkDoneProgressBegin,
  WorkDoneProgressCancelNotification,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
  type WorkspaceEdit,
} from "vscode-languageclient/node";
import { offer, show, writesFiles } from "./actions";
import { middleware } from "./links";
import { interpreter } from "./interpreter";
import { type Command, expand, hasServer, locate, NoPython, NotThere, older, run } from "./locate";
import { SYNCHRONIZED } from "./selector";
import { provideCompletionItem } from "./suggest";
import { speak } from "./words";

export const SECTION = "npuLsp";

/** What the token of a look at the workspace starts with. */
const SCAN = "npu-lsp/scan/";

/** So many crashes within so many milliseconds are answered by a new start. */
const CRASHES = 4;
const WITHIN = 180_000;

/** What the server says of itself. */
export interface Facts {
  version: string;
  catalog: string;
  target: {
    cann: string | null;
    versions: Record<string, string>;
    products: string[];
    /** Where each comes from: the path of a file, or words. */
    from: Record<string, string>;
    /** What the document says itself: versions, and where. */
    said: Record<string, [string, string]>;
  };
  document: { findings: { errors: number; others: number; review: number } | null } | null;
  configuration: string | null;
  problems: string[];
  /** What it answers in. */
  language: string;
}

class Client extends LanguageClient {
  /** Without this one the server sends its findings by itself: the library never asks for those of notebook cells. */
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!("registrationType" in feature && feature.registrationType.method === DocumentDiagnosticRequest.method)) {
      super.registerFeature(feature);
    }
  }

  /** The library shows a message of its own for each step of a failure; here, all of them only go to the log. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the server has started or ended. */
  readonly onDidChange = this.changed.event;
  private readonly scans = new vscode.EventEmitter<void>();
  /** Fires when a look at the workspace has come further: whoever asked the server then would hold it up. */
  readonly onDidScan = this.scans.event;
  /** Whether something has asked for the server; it may have failed since. */
  wanted = false;
  /** Whether it is on its way. */
  starting = false;
  private client: Client | undefined;
  /** The look at the workspace that is on its way, and how far it is. */
  scan: { token: string; message: string } | undefined;
  private last: Promise<void> = Promise.resolve();
  /** When it crashed. */
  private crashes: number[] = [];

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly extension: vscode.Extension<unknown>,
    private readonly told: vscode.Memento,
  ) {}

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  get state(): "running" | "starting" | "stopped" {
    return this.running ? "running" : this.starting ? "starting" : "stopped";
  }

  /** Starts the server unless that was done before, whatever came of it. */
  start(): Promise<void> {
    if (this.wanted) return this.last;
    return this.restart();
  }

  /** Starts it anew because somebody wants that. */
  restart(): Promise<void> {
    this.crashes = [];
    return this.again();
  }

  private again(): Promise<void> {
    this.wanted = this.starting = true;
    this.last = this.last.then(() => this.end()).then(() => this.begin());
    this.last = this.last.finally(() => {
      this.starting = false;
      this.changed.fire();
    });
    return this.last;
  }

  stop(): Promise<void> {
    this.last = this.last.then(() => this.end());
    return this.last;
  }

  dispose(): void {
    this.changed.dispose();
    this.scans.dispose();
  }

  /** Returns what is in force for a document, or for the first folder; `undefined` where no server runs. */
  async status(uri: vscode.Uri | undefined): Promise<Facts | undefined> {
    const facts = await this.request<Facts>("npu-lsp/status", uri ? { textDocument: { uri: uri.toString() } } : {});
    if (facts) speak(facts.language);
    return facts;
  }

  /** Shows an edit of the server, to be agreed to. */
  async show(edit: WorkspaceEdit): Promise<void> {
    if (this.client) await show(this.client, edit);
  }

  /** Leaves off the look at the workspace. */
  async stopScan(): Promise<void> {
    if (this.scan) await this.client?.sendNotification(WorkDoneProgressCancelNotification.type, { token: this.scan.token });
  }

  /** Asks the server; `undefined` where none runs. */
  async request<Answer>(method: string, params: object): Promise<Answer | undefined> {
    return this.running ? this.client?.sendRequest<Answer>(method, params) : undefined;
  }

  /** Returns why no server runs. */
  async reason(): Promise<unknown> {
    return this.locate().then(() => new Error(vscode.l10n.t("it was not started, or has ended")), (error: unknown) => error);
  }

  /** Runs another command of the same program and returns what it prints. */
  async run(...args: string[]): Promise<string> {
    return run(await this.locate(), args, folder());
  }

  /** Returns how to start the program; rejects with a message for the user. */
  async locate(): Promise<Command> {
    const settings = vscode.workspace.getConfiguration(SECTION);
    const { isTrusted: trusted, workspaceFolders } = vscode.workspace;
    const selected = trusted ? await interpreter(workspaceFolders?.[0]?.uri) : undefined;
    try {
      return await locate({
        setting: settings.get("server.path", ""),
        bundled: settings.get("server.bundled", false),
        extension: this.extension.extensionPath,
        trusted,
        ...(folder() && { folder: folder()! }),
        ...(selected && { interpreter: selected }),
      });
    } catch (error) {
      if (error instanceof NotThere) throw new Error(vscode.l10n.t("{0} is not there", error.message));
      if (error instanceof NoPython) throw new Missing(vscode.l10n.t("it needs Python 3.10 or later, and there is none here."));
      throw new Missing(vscode.l10n.t("no npu-lsp was found, and none came with the extension for the Python of this system."));
    }
  }

  private async begin(): Promise<void> {
    let command: Command;
    try {
      command = await this.locate();
    } catch (error) {
      this.failed(error);
      return;
    }
    const more = vscode.workspace.getConfiguration(SECTION).get<string[]>("server.arguments", []);
    const args = [...command.args, "serve", ...more.map((each) => expand(each, folder()))];
    this.output.info(`starting ${[command.command, ...args].join(" ")}`);
    let ended: () => void = () => {};
    const end = new Promise<never>((_, reject) => {
      ended = () => reject(new Error(vscode.l10n.t("it has ended unexpectedly")));
    });
    const client = new Client(SECTION, "npu-lsp", { command: command.command, args }, this.options(ended));
    client.registerFeature(writesFiles);
    this.client = client;
    client.onDidChangeState(() => this.changed.fire());
    try {
      // Of a process that ends before it is spoken to, the library waits for the answer for ever.
      await Promise.race([client.start(), end]);
      void this.tellOlder(command);
    } catch (error) {
      this.client = undefined;
      this.failed(new Error(await why(command, message(error))));
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = this.scan = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.output.debug(`the server had ended: ${String(error)}`);
    }
  }

  /** Returns how the server is spoken to; `ended` is called when its process ends while it starts. */
  private options(ended: () => void): LanguageClientOptions {
    return {
      documentSelector: SYNCHRONIZED,
      synchronize: { configurationSection: SECTION },
      initializationOptions: JSON.parse(JSON.stringify(vscode.workspace.getConfiguration(SECTION))) as object,
      outputChannel: this.output,
      middleware: {
        ...middleware,
        provideCompletionItem,
        ...offer(() => this.client),
        handleWorkDoneProgress: (token, params, next) => {
          if (String(token).startsWith(SCAN)) this.scanned(String(token), params);
          next(token, params);
        },
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          if (this.running) this.crashed();
          else ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
  }

  private scanned(token: string, params: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void {
    // One that can be cancelled would be a message in the corner; here it is a word in the status bar, and the status item stops it.
    if (params.kind !== "end") params.cancellable = false;
    this.scan = params.kind === "end" ? undefined : { token, message: params.message ?? "" };
    this.scans.fire();
  }

  private crashed(): void {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < WITHIN), now];
    if (this.crashes.length > CRASHES) {
      this.failed(new Error(vscode.l10n.t("it has crashed {0} times within three minutes", this.crashes.length)));
      return;
    }
    this.output.warn("the server has ended unexpectedly; it is started again");
    void this.again();
  }

  private failed(reason: unknown): void {
    this.output.error(message(reason));
    this.changed.fire();
    // Where the settings of a folder don't count yet, the status says enough: trust may bring the server, and a message stays.
    if (vscode.workspace.isTrusted) this.complain(reason);
  }

  /** Tells that there is no server, with what can be done about it. */
  complain(reason: unknown): void {
    const choices: Record<string, () => unknown> =
      reason instanceof Missing
        ? { [vscode.l10n.t("How to install it")]: openWalkthrough }
        : {
            [vscode.l10n.t("Open settings")]: openSettings,
            [vscode.l10n.t("Show output")]: () => this.output.show(),
            [vscode.l10n.t("Restart")]: () => this.restart(),
          };
    const text = vscode.l10n.t("npu-lsp doesn't run: {0}", message(reason));
    void vscode.window.showErrorMessage(text, ...Object.keys(choices)).then((answer) => answer && choices[answer]?.());
  }

  /** Tells once of each version that a server is older than the extension. */
  private async tellOlder({ command }: Command): Promise<void> {
    const version = (await this.status(undefined).catch(() => undefined))?.version;
    const ours = (this.extension.packageJSON as { version: string }).version;
    const key = `older ${version} ${ours}`;
    if (!version || !older(version, ours) || this.told.get(key)) return;
    await this.told.update(key, true);
    const text = vscode.l10n.t("{0} is npu-lsp {1}, which is older than the extension ({2}).", command, version, ours);
    const other = vscode.l10n.t("Use the one that came with the extension");
    if (!hasServer(this.extension.extensionPath)) void vscode.window.showInformationMessage(text);
    else if ((await vscode.window.showInformationMessage(text, other)) === other) {
      await vscode.workspace.getConfiguration(SECTION).update("server.bundled", true, vscode.ConfigurationTarget.Global);
    }
  }
}

/** There is no server at all: something has to be installed. */
class Missing extends Error {}

/** The page of the extension that tells what to install, on the screen without a network. */
function openWalkthrough(): Thenable<unknown> {
  return vscode.commands.executeCommand("workbench.action.openWalkthrough", "npu-lsp.npu-lsp#start", false);
}

/** In a remote window, the page of the user's settings has none of those that belong to a machine. */
function openSettings(): Thenable<unknown> {
  const query = `${SECTION}.server.path`;
  if (vscode.env.remoteName) return vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query });
  return vscode.commands.executeCommand("workbench.action.openSettings", query);
}

function folder(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

/** A process that ends at once leaves only a broken pipe; what it says when it is run alone tells more. */
async function why(command: Command, reason: string): Promise<string> {
  try {
    await run(command, ["--version"], folder());
    return reason;
  } catch (error) {
    return `${command.command}: ${message(error)}`;
  }
}

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
