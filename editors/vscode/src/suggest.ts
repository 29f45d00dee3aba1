// After a name that leads on to something that can be listed, the list opens by itself.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const SUGGEST = { command: "editor.action.triggerSuggest", title: "" };

export const provideCompletionItem: NonNullable<Middleware["provideCompletionItem"]> = async (document, position, context, token, next) => {
  const found = await next(document, position, context, token);
  for (const item of Array.isArray(found) ? found : (found?.items ?? [])) {
    if (leadsOn(item)) item.command ??= SUGGEST;
  }
  return found;
};

/** Tells whether the cursor stands, once the item is taken, where the server knows what comes next. */
function leadsOn(item: vscode.CompletionItem & { data?: { leadsOn?: boolean } }): boolean {
  const text = typeof item.insertText === "string" ? item.insertText : (item.insertText?.value ?? "");
  return item.data?.leadsOn === true && /(?:[=.:] ?|\$0["\])]*)$/.test(text);
}
