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
} from "vscode-languageclient/node";
import { resolveCodeAction, writesFiles } from "./creations";
import { middleware } from "./links";
import { type Command, expand, locate, NotThere, run } from "./locate";
import { SYNCHRONIZED } from "./selector";
import { provideCompletionItem } from "./suggest";

export const SECTION = "npuLsp";

/** So many crashes within so many milliseconds are answered by a new start. */
const CRASHES = 4;
const WITHIN = 180_000;

/** What the server says of itself. */
export interface Facts {
  version: string;
  catalog: string;
  target: { cann: string | null; versions: Record<string, string>; products: string[] };
  configuration: string | null;
  problems: string[];
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
  /** Whether something has asked for the server; it may have failed since. */
  wanted = false;
  /** Whether it is on its way. */
  starting = false;
  private client: Client | undefined;
  private last: Promise<void> = Promise.resolve();
  /** When it crashed. */
  private crashes: number[] = [];

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly extensionPath: string,
  ) {}

  get running(): boolean {
    return this.client?.state === State.Running;
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
  }

  /** Returns what is in force for a document, or for the first folder; `undefined` where no server runs. */
  status(uri: vscode.Uri | undefined): Promise<Facts | undefined> {
    return this.request<Facts>("npu-lsp/status", uri ? { textDocument: { uri: uri.toString() } } : {});
  }

  /** Asks the server; `undefined` where none runs. */
  async request<Answer>(method: string, params: object): Promise<Answer | undefined> {
    return this.running ? this.client?.sendRequest<Answer>(method, params) : undefined;
  }

  /** Returns why no server runs. */
  async reason(): Promise<string> {
    return this.locate().then(() => vscode.l10n.t("it was not started, or has ended"), message);
  }

  /** Runs another command of the same program and returns what it prints. */
  async run(...args: string[]): Promise<string> {
    return run(await this.locate(), args, folder());
  }

  /** Returns how to start the program; rejects with a message for the user. */
  async locate(): Promise<Command> {
    const setting = vscode.workspace.getConfiguration(SECTION).get("server.path", "");
    try {
      return await locate(setting, folder(), this.extensionPath);
    } catch (error) {
      throw new Error(
        error instanceof NotThere
          ? vscode.l10n.t("{0} is not there", error.message)
          : vscode.l10n.t("no npu-lsp was found. Install it with `pip install npu-lsp`, or set its path."),
      );
    }
  }

  private async begin(): Promise<void> {
    let command: Command;
    try {
      command = await this.locate();
    } catch (error) {
      this.failed(message(error));
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
    } catch (error) {
      this.client = undefined;
      this.failed(await why(command, message(error)));
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
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
      middleware: { ...middleware, provideCompletionItem, resolveCodeAction: resolveCodeAction(() => this.client) },
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

  private crashed(): void {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < WITHIN), now];
    if (this.crashes.length > CRASHES) {
      this.failed(vscode.l10n.t("it has crashed {0} times within three minutes", this.crashes.length));
      return;
    }
    this.output.warn("the server has ended unexpectedly; it is started again");
    void this.again();
  }

  private failed(reason: string): void {
    this.output.error(reason);
    this.changed.fire();
    // Where the settings of a folder don't count yet, the status says enough: trust may bring the server, and a message stays.
    if (vscode.workspace.isTrusted) this.complain(reason);
  }

  /** Tells that there is no server, with what can be done about it. */
  complain(reason: string): void {
    const choices = {
      [vscode.l10n.t("Open settings")]: openSettings,
      [vscode.l10n.t("Show output")]: () => this.output.show(),
      [vscode.l10n.t("Restart")]: () => this.restart(),
    };
    const text = vscode.l10n.t("npu-lsp doesn't run: {0}", reason);
    void vscode.window.showErrorMessage(text, ...Object.keys(choices)).then((answer) => answer && choices[answer]?.());
  }
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
