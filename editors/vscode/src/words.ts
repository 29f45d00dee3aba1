// What the extension says, in the language that the server answers in: `npuLsp.language` may name another than the editor's.

import * as vscode from "vscode";
import chinese from "../l10n/bundle.l10n.zh-cn.json";

let spoken: string | undefined;

/** Says which language the server answers in. */
export function speak(language: string): void {
  spoken = language;
}

/** As `vscode.l10n`, which is asked as long as no server has answered. */
export const l10n = {
  t(text: string, ...args: (string | number)[]): string {
    if (spoken === undefined) return vscode.l10n.t(text, ...args);
    const said = spoken === "zh" ? ((chinese as Record<string, string>)[text] ?? text) : text;
    return said.replace(/\{(\d+)\}/g, (whole, number: string) => String(args[Number(number)] ?? whole));
  },
};
