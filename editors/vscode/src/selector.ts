// The documents that the server reads.

import * as vscode from "vscode";
import type { DocumentSelector } from "vscode-languageclient/node";

const LANGUAGES = ["python", "shellscript", "dockerfile", "markdown", "yaml", "dockercompose", "makefile"];

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

export function matches(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
