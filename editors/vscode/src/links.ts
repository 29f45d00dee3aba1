// A finding's code leads to the page of its rule.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

/** Makes the code of each finding a link. */
export const middleware: Middleware = {
  handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(linked)),
};

function page(code: string): vscode.Uri {
  return vscode.Uri.from({ scheme: "command", path: "npuLsp.openRule", query: JSON.stringify([code]) });
}

function linked(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  if (typeof diagnostic.code === "string") diagnostic.code = { value: diagnostic.code, target: page(diagnostic.code) };
  return diagnostic;
}
