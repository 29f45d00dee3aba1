// The documents that the server reads.

import * as vscode from "vscode";
import type { DocumentSelector } from "vscode-languageclient/node";

const LANGUAGES = [
  ...["python", "shellscript", "dockerfile", "markdown", "mdx", "restructuredtext", "yaml", "dockercompose", "makefile"],
  "dotenv",
];

// Files that options point to have no language of their own; the server looks closer at what has such a name.
const SIDECARS = [
  "**/*{op_precision,opprecision,op_cache}*.ini",
  "**/*{fusion_switch,fusion-switch,fusionswitch}*.{cfg,json,conf}",
  "**/*mixlist*.json",
  "**/*{customize_dtypes,keep_dtype,op_debug_config,compression_optimize}*.{cfg,txt,conf,ini}",
  "**/*{aipp,insert_op}*.{cfg,config,conf,prototxt}",
];

// Where the server completes and checks its own keys; another name for TOML comes with an extension for it.
const CONFIGURATIONS = "**/{npu-lsp,.npu-lsp,pyproject}.toml";

export const SELECTOR = [
  ...LANGUAGES.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
    { scheme: "vscode-notebook-cell", language },
  ]),
  ...SIDECARS.map((pattern) => ({ scheme: "file", pattern })),
  { scheme: "file", pattern: CONFIGURATIONS },
  { scheme: "untitled", pattern: CONFIGURATIONS },
] satisfies DocumentSelector;

// What has no language of its own: a file that an option names may have any name, and what a text is shows while it is typed.
// In a log, the codes of errors have a hover.
const PLAIN = ["plaintext", "ini", "properties", "json", "jsonc", "log"];

/** What the server gets to see once it runs. */
export const SYNCHRONIZED = [
  ...SELECTOR,
  ...PLAIN.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]),
] satisfies DocumentSelector;

/** Tells whether a document is worth a process: it is of a language that the server reads, or begins as a script does. */
export function matches(document: vscode.TextDocument): boolean {
  if (vscode.languages.match(SELECTOR, document) > 0) return true;
  return vscode.languages.match(SYNCHRONIZED, document) > 0 && document.lineAt(0).text.startsWith("#!");
}
