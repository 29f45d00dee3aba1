// Finds the server: setting, environment, PATH, a Python that has the package, then the one that came with the extension.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export interface Command {
  command: string;
  args: string[];
}

/** A path that was asked for isn't there; the message is that path. */
export class NotThere extends Error {}

const WINDOWS = process.platform === "win32";
// Isolated, since a folder of that name in the project must not be run; what `pip install --user` put there counts.
const PACKAGE = ["-I", "-c", "import site, sys; site.addsitedir(site.getusersitepackages()); from npu_lsp.commands.main import main; sys.exit(main())"];

/** Expands `~`, `${workspaceFolder}` and `${env:NAME}` in a text from the settings. */
export function expand(text: string, workspaceFolder: string | undefined): string {
  return text
    .replace(/^~(?=$|[\\/])/, () => homedir())
    .replaceAll("${workspaceFolder}", () => workspaceFolder ?? "")
    .replace(/\$\{env:([^}]+)\}/g, (_, name: string) => process.env[name] ?? "");
}

/**
 * Returns how to start the program. A path that was set is not second-guessed.
 * @throws NotThere where that path names nothing, Error where there is no server at all
 */
export async function locate(setting: string, workspaceFolder: string | undefined, extension: string): Promise<Command> {
  const wanted = expand(setting.trim() || process.env["NPU_LSP_SERVER"] || "", workspaceFolder);
  if (wanted) {
    const found = isAbsolute(wanted) ? await executable(wanted) : await onPath(wanted);
    if (!found) throw new NotThere(wanted);
    return { command: found, args: [] };
  }
  const found = await onPath("npu-lsp");
  if (found) return { command: found, args: [] };
  const pythons: string[] = [];
  for (const name of WINDOWS ? ["python", "py"] : ["python3", "python"]) {
    const python = await onPath(name);
    if (python) pythons.push(python);
  }
  for (const command of pythons) {
    if (await answers({ command, args: PACKAGE })) return { command, args: PACKAGE };
  }
  const bundled = ["-I", join(extension, "bundled", "start.py")];
  for (const command of (await exists(bundled[1]!)) ? pythons : []) {
    if (await answers({ command, args: bundled })) return { command, args: bundled };
  }
  throw new Error("no server");
}

/** Runs a command to its end and returns what it prints; rejects with what it complains of. */
export function run(command: Command, args: string[], cwd: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 20_000, maxBuffer: 8_000_000, env: { ...process.env, PYTHONIOENCODING: "utf-8" }, ...(cwd && { cwd }) };
    execFile(command.command, [...command.args, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim().split("\n").at(-1) || error.message));
      else resolve(stdout);
    });
  });
}

async function onPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = await executable(join(folder, WINDOWS ? `${name}.exe` : name));
    if (found) return found;
  }
  return undefined;
}

async function executable(path: string): Promise<string | undefined> {
  return (await exists(path, WINDOWS ? constants.F_OK : constants.X_OK)) ? path : undefined;
}

async function exists(path: string, how = constants.F_OK): Promise<boolean> {
  try {
    await access(path, how);
    return true;
  } catch {
    return false;
  }
}

async function answers(command: Command): Promise<boolean> {
  try {
    await run(command, ["--version"], undefined);
    return true;
  } catch {
    return false;
  }
}
