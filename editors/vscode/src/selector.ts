// The documents that the server reads.

import * as vscode from "vscode";
import type { DocumentSelector } from "vscode-languageclient/node";
import { FILES, LANGUAGES, PLAIN } from "./languages";

// Where the server completes and checks its own keys; another name for TOML comes with an extension for it.
const CONFIGURATIONS = "**/{npu-lsp,.npu-lsp,pyproject}.toml";

export const SELECTOR = [
  ...LANGUAGES.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
    { scheme: "vscode-notebook-cell", language },
  ]),
  ...FILES.map((pattern) => ({ scheme: "file", pattern })),
  { scheme: "file", pattern: CONFIGURATIONS },
  { scheme: "untitled", pattern: CONFIGURATIONS },
] satisfies DocumentSelector;

/** What the server gets to see once it runs. */
export const SYNCHRONIZED = [
  ...SELECTOR,
  ...PLAIN.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]),
  // Logs have diagnostics, and are no reason to start a server.
  { scheme: "file", language: "log" },
] satisfies DocumentSelector;

/** Tells whether a document is worth a process: it is of a language that the server reads, or begins as a script does. */
export function matches(document: vscode.TextDocument): boolean {
  if (vscode.languages.match(SELECTOR, document) > 0) return true;
  return vscode.languages.match(SYNCHRONIZED, document) > 0 && document.lineAt(0).text.startsWith("#!");
}
