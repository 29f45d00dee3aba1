// Finds the server: setting, environment, the Python that is selected, a `.venv` of the project, PATH, a Python that has the package, then the
// one that came with the extension.

import { execFile } from "node:child_process";
import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export interface Command {
  command: string;
  args: string[];
}

/** Where a server is looked for. */
export interface Places {
  /** The path that is set; empty where none is. */
  setting: string;
  /** The first folder of the workspace. */
  folder?: string;
  /** Whether that folder may bring programs that are run. */
  trusted: boolean;
  /** The interpreter that another extension has selected for the folder. */
  interpreter?: string;
  /** The extension's own folder. */
  extension: string;
  /** Whether only the server counts that came with the extension. */
  bundled: boolean;
}

/** A path that was asked for isn't there; the message is that path. */
export class NotThere extends Error {}

/** There is no server, and no Python that could run the one that came with the extension. */
export class NoPython extends Error {}

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
 * @throws NotThere where that path names nothing, NoPython or Error where there is no server at all
 */
export async function locate(places: Places): Promise<Command> {
  const { setting, folder, bundled } = places;
  const wanted = expand(setting.trim() || process.env["NPU_LSP_SERVER"] || "", folder);
  if (wanted && !bundled) {
    const found = isAbsolute(wanted) ? await executable(wanted) : await onPath(wanted);
    if (!found) throw new NotThere(wanted);
    return { command: found, args: [] };
  }
  const own = places.trusted ? await ownPythons(places) : [];
  const pythons = await pythonsOnPath();
  return (bundled ? undefined : await installed(own, pythons)) ?? (await brought(places.extension, [...own, ...pythons]));
}

/** Returns whether the extension came with a server. */
export function hasServer(extension: string): boolean {
  return existsSync(join(extension, "bundled", "lib"));
}

/** Returns whether a version is older than another one. */
export function older(version: string, than: string): boolean {
  const numbers = (text: string) => text.split(".").map((part) => parseInt(part, 10) || 0);
  const [left, right] = [numbers(version), numbers(than)];
  const at = right.findIndex((number, index) => number !== (left[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) < right[at]!;
}

async function installed(own: string[], pythons: string[]): Promise<Command | undefined> {
  const inOne = async (candidates: string[]) => {
    for (const command of candidates) if (await answers({ command, args: PACKAGE })) return { command, args: PACKAGE };
    return undefined;
  };
  const found = await inOne(own);
  if (found) return found;
  const command = await onPath("npu-lsp");
  return command ? { command, args: [] } : inOne(pythons);
}

/** Returns how to start the server that came with the extension, with the first Python that it is packed for. */
async function brought(extension: string, pythons: string[]): Promise<Command> {
  const args = ["-I", join(extension, "bundled", "start.py")];
  for (const command of pythons) if (await answers({ command, args })) return { command, args };
  for (const command of pythons) {
    if (await answers({ command, args: ["-I", "-c", "import sys; sys.exit(sys.version_info < (3, 10))"] })) throw new Error("no server");
  }
  throw new NoPython("no Python");
}

async function ownPythons({ interpreter, folder }: Places): Promise<string[]> {
  const inFolder = folder && join(folder, ".venv", WINDOWS ? "Scripts/python.exe" : "bin/python");
  const found = await Promise.all([interpreter, inFolder].map((path) => (path ? executable(path) : undefined)));
  return found.filter((path) => path !== undefined);
}

async function pythonsOnPath(): Promise<string[]> {
  // Where `python3` is too old, a newer one often stands beside it.
  const beside = [14, 13, 12, 11, 10].map((minor) => `python3.${minor}`);
  const found = await Promise.all((WINDOWS ? ["python", "py"] : ["python3", "python", ...beside]).map(onPath));
  return found.filter((path) => path !== undefined);
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
