// Finds the server: setting, environment, PATH, then a Python that has the package.

import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export interface Command {
  command: string;
  args: string[];
}

const WINDOWS = process.platform === "win32";

/** Expands `~`, `${workspaceFolder}` and `${env:NAME}` in a path from the settings. */
export function expand(path: string, workspaceFolder: string | undefined): string {
  return path
    .replace(/^~(?=$|[\\/])/, homedir())
    .replaceAll("${workspaceFolder}", workspaceFolder ?? "")
    .replace(/\$\{env:([^}]+)\}/g, (_, name: string) => process.env[name] ?? "");
}

/** Returns how to start the server, or `undefined` where there is none. A path that was set is not second-guessed. */
export async function locate(setting: string, workspaceFolder: string | undefined): Promise<Command | undefined> {
  const wanted = expand(setting || process.env["NPU_LSP_SERVER"] || "", workspaceFolder);
  if (wanted) {
    const found = isAbsolute(wanted) ? await executable(wanted) : await onPath(wanted);
    return { command: found ?? wanted, args: [] };
  }
  const found = await onPath("npu-lsp");
  if (found) return { command: found, args: [] };
  for (const name of WINDOWS ? ["python", "py"] : ["python3", "python"]) {
    const python = await onPath(name);
    if (python && (await hasPackage(python))) return { command: python, args: ["-m", "npu_lsp"] };
  }
  return undefined;
}

async function onPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!folder) continue;
    for (const suffix of WINDOWS ? [".exe", ".cmd", ""] : [""]) {
      const found = await executable(join(folder, name + suffix));
      if (found) return found;
    }
  }
  return undefined;
}

async function executable(path: string): Promise<string | undefined> {
  try {
    await access(path, WINDOWS ? constants.F_OK : constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

function hasPackage(python: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = "import importlib.util, sys; sys.exit(importlib.util.find_spec('npu_lsp') is None)";
    const child = spawn(python, ["-I", "-c", script], { stdio: "ignore", timeout: 10_000 });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}
