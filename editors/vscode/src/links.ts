// A finding's code leads to the page of its rule.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { Pages } from "./pages";

/** Makes the code of each finding a link. */
export const middleware: Middleware = {
  handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(linked)),
};

function linked(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  if (typeof diagnostic.code === "string") diagnostic.code = { value: diagnostic.code, target: Pages.link(diagnostic.code) };
  return diagnostic;
}
