// What a chosen action does, as the server says it. Files that it makes are on the disk with their text, in the step that also
// changes the script: the library would create them empty and leave the text in a tab that nobody has saved.

import * as vscode from "vscode";
import {
  type BaseLanguageClient,
  type ClientCapabilities,
  type CodeAction,
  CodeActionResolveRequest,
  type Middleware,
  type StaticFeature,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from "vscode-languageclient/node";

/** Tells the server that this client writes what it creates. */
export const writesFiles: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, npuLsp: { writesFiles: true, showsReferences: true } };
  },
  initialize: () => {},
  getState: () => ({ kind: "static" }),
  clear: () => {},
};

/** Completes a code action; `client` returns who asked for it. */
export function resolveCodeAction(client: () => BaseLanguageClient | undefined): NonNullable<Middleware["resolveCodeAction"]> {
  return async (item, token, next) => {
    const asking = client();
    if (!asking) return next(item, token);
    const resolved: CodeAction = await asking.sendRequest(CodeActionResolveRequest.type, asking.code2ProtocolConverter.asCodeActionSync(item), token);
    if (!resolved.edit) return item;
    const edit = await converted(asking, resolved.edit, token);
    if (isCurrent(asking, resolved.edit)) item.edit = edit;
    return item;
  };
}

/** Tells whether the texts are still those that an edit was made for: the library drops their versions, and VS Code takes it for one of what is there now. */
function isCurrent(client: BaseLanguageClient, edit: WorkspaceEdit): boolean {
  return (edit.documentChanges ?? []).every((change) => {
    if (!("textDocument" in change) || change.textDocument.version === null) return true;
    const uri = client.protocol2CodeConverter.asUri(change.textDocument.uri).toString();
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.version === change.textDocument.version;
  });
}

async function converted(client: BaseLanguageClient, edit: WorkspaceEdit, token: vscode.CancellationToken): Promise<vscode.WorkspaceEdit> {
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
  const others = await client.protocol2CodeConverter.asWorkspaceEdit(created.size ? { documentChanges: rest } : edit, token);
  if (!created.size) return others;
  for (const [uri, each] of others.entries()) made.set(uri, each);
  return made;
}
