// The interpreter that the Python extension has selected, where that extension is there.

import * as vscode from "vscode";

/** What is used of the Python extension's interface. */
interface Python {
  environments?: { getActiveEnvironmentPath(resource?: vscode.Uri): { path: string } };
}

/** Milliseconds that the other extension has to start. */
const PATIENCE = 5_000;

/** Returns the selected interpreter's path; `undefined` where there is none, or no such extension. */
export async function interpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<Python>("ms-python.python");
  if (!extension) return undefined;
  try {
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE));
    const python = await Promise.race([extension.activate(), late]);
    return python?.environments?.getActiveEnvironmentPath(folder).path;
  } catch {
    return undefined;
  }
}
