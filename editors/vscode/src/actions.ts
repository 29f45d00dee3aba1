// What an action of the server does when somebody chooses it. A command makes its edit: one that an action holds is made by VS Code of
// whatever text is there by then, as often as the key was pressed. Files that it makes are on the disk with their text, in the step that
// also changes the script: the library would create them empty and leave the text in a tab that nobody has saved.

import * as vscode from "vscode";
import {
  type BaseLanguageClient,
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  Command,
  type Middleware,
  type StaticFeature,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from "vscode-languageclient/node";

/** Does what a chosen action is for. Nobody calls it by its name, so the package doesn't list it. */
export const DO = "_npuLsp.do";

/** Tells the server what this client does besides: it writes what it creates, say. */
export const writesFiles: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, npuLsp: { writesFiles: true, showsReferences: true, showsRecipes: true, sortsDefinitions: true } };
  },
  initialize: () => {},
  getState: () => ({ kind: "static" }),
  clear: () => {},
};

/** What an action does; its edit is asked for when somebody chooses it. */
export class Deed {
  constructor(
    private readonly client: BaseLanguageClient,
    private action: CodeAction,
    /** Whether it may be done while a file is saved, which mustn't be saved once more by that. */
    readonly saving: boolean,
  ) {}

  async resolve(token?: vscode.CancellationToken): Promise<void> {
    if (this.action.edit || this.action.data === undefined) return;
    const [type, found] = [CodeActionResolveRequest.type, this.action];
    this.action = await this.client.sendRequest(type, found, token).catch((error) => this.client.handleFailedRequest(type, token, error, found));
  }

  async do(): Promise<void> {
    await this.resolve();
    const { edit, command } = this.action;
    if (!edit || !(await apply(this.client, edit, !this.saving))) return;
    if (command) await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
  }
}

/** Offers actions that have a command in place of an edit; `client` returns who is asked for them. */
export function offer(client: () => BaseLanguageClient | undefined): Pick<Middleware, "provideCodeActions" | "resolveCodeAction"> {
  return {
    async provideCodeActions(document, range, context, token, next) {
      const asking = client();
      if (!asking) return next(document, range, context, token);
      const { code2ProtocolConverter: there, protocol2CodeConverter: here } = asking;
      const params = { textDocument: there.asTextDocumentIdentifier(document), range: there.asRange(range), context: there.asCodeActionContextSync(context) };
      const type = CodeActionRequest.type;
      const found = await asking.sendRequest(type, params, token).catch((error) => asking.handleFailedRequest(type, token, error, null));
      const saving = context.only !== undefined && vscode.CodeActionKind.Source.contains(context.only);
      const offered = (found ?? []).map(async (each) => {
        if (Command.is(each)) return here.asCommand(each);
        const { edit, ...rest } = each;
        const action = await here.asCodeAction(rest);
        if (edit || each.data !== undefined) action.command = { command: DO, title: each.title, arguments: [new Deed(asking, each, saving)] };
        return action;
      });
      return Promise.all(offered);
    },
    async resolveCodeAction(item, token, next) {
      const deed: unknown = item.command?.arguments?.[0];
      if (!(deed instanceof Deed)) return next(item, token);
      // Who doesn't wait for a save any longer doesn't get its fixes. Else it is left to the command, which VS Code finds no more once
      // the cursor has moved on to other actions.
      if (deed.saving) await deed.resolve(token);
      return item;
    },
  };
}

/** The version of a text that is being changed. VS Code looks at versions when it begins with an edit: two of the same time would both be made. */
const changing = new WeakMap<vscode.TextDocument, number>();

/** Makes an edit in the texts that it was made for, and in no others; returns whether it did. `saves` what is changed where there are several files. */
async function apply(client: BaseLanguageClient, edit: WorkspaceEdit, saves: boolean): Promise<boolean> {
  const made = await converted(client, edit);
  // What is in no tab has no version yet, and so nobody would notice that it has changed.
  await Promise.allSettled(made.entries().map(([uri]) => vscode.workspace.openTextDocument(uri)));
  const texts = made.entries().flatMap(([uri]) => opened(uri) ?? []);
  if (!isCurrent(client, edit) || texts.some((text) => changing.get(text) === text.version)) {
    client.info("an edit was not made, since its text has changed meanwhile", undefined, false);
    return false;
  }
  for (const text of texts) changing.set(text, text.version);
  try {
    return await vscode.workspace.applyEdit(made, { isRefactoring: saves });
  } finally {
    for (const text of texts) changing.delete(text);
  }
}

/** Shows an edit, to be agreed to; VS Code itself sees to it that there is only one such. */
export async function show(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<void> {
  const made = await converted(client, edit);
  if (isCurrent(client, edit)) await vscode.workspace.applyEdit(made, { isRefactoring: true });
}

/** Tells whether the texts are still those that an edit was made for; one without a version was read from the disk. */
function isCurrent(client: BaseLanguageClient, edit: WorkspaceEdit): boolean {
  return (edit.documentChanges ?? []).every((change) => {
    if (!("textDocument" in change)) return true;
    const document = opened(client.protocol2CodeConverter.asUri(change.textDocument.uri));
    return change.textDocument.version === null ? !document?.isDirty : document?.version === change.textDocument.version;
  });
}

function opened(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
}

async function converted(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<vscode.WorkspaceEdit> {
  const changes = edit.documentChanges ?? [];
  const created = new Set(changes.flatMap((change) => ("kind" in change && change.kind === "create" ? [change.uri] : [])));
  const edits = changes.filter((change): change is TextDocumentEdit => "textDocument" in change);
  const rest = edits.filter((change) => !created.has(change.textDocument.uri));
  const made = new vscode.WorkspaceEdit();
  for (const uri of created) {
    const text = edits.filter((change) => change.textDocument.uri === uri).flatMap((change) => change.edits.map((each) => ("newText" in each ? each.newText : "")));
    // One that is there by now stays as it is, and nothing of the fix happens.
    made.createFile(client.protocol2CodeConverter.asUri(uri), { overwrite: false, ignoreIfExists: false, contents: new TextEncoder().encode(text.join("")) });
  }
  const others = await client.protocol2CodeConverter.asWorkspaceEdit(created.size ? { documentChanges: rest } : edit);
  if (!created.size) return others;
  for (const [uri, each] of others.entries()) made.set(uri, each);
  return made;
}
