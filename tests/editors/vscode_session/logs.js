// What logs tell: diagnostics of a log that is open, the page about it, that of a pasted one, and that of what a terminal printed last.

const vscode = require("vscode");
const { until, written } = require("../until.js");

const SMALL = "HCCL_BUFFSIZE is too SMALL, maxBs = 8, NEEDED_HCCL_BUFFSIZE((a) * 2) = 700MB, HCCL_BUFFSIZE=256MB.";
const TAKEN = "RuntimeError: The Inner error is reported. listen on ip[10.0.0.2] and specific port[16666] fail.";
const MISSING = "ImportError: libatb.so: cannot open shared object file: No such file or directory";
const SCHEME = "npu-lsp-log";

const pages = () => vscode.workspace.textDocuments.filter((document) => document.uri.scheme === SCHEME);

/** Has a command make a page, and returns what stands on it. */
async function page(command) {
  const before = new Set(pages().map((document) => document.uri.path));
  await vscode.commands.executeCommand(command);
  const made = await until(`the page of ${command}`, () => pages().find((document) => !before.has(document.uri.path)));
  const text = made.getText();
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  return text;
}

// What a shell with integration prints around a command: where its prompt is, the command, its output, and how it ended.
const SAID = `\\e]633;A\\a$ \\e]633;B\\a\\e]633;E;python3 serve.py\\a\\e]633;C\\a${MISSING}\\r\\n\\e]633;D;1\\a`;

/** Has a command fail in a terminal. */
async function failed(folder) {
  const ended = new Promise((resolve) => vscode.window.onDidEndTerminalShellExecution((event) => resolve(event.exitCode)));
  const shellArgs = ["-c", `printf '${SAID}'; sleep 600`];
  const terminal = vscode.window.createTerminal({ name: "failing", shellPath: "/bin/bash", shellArgs, cwd: folder.fsPath });
  terminal.show();
  return { terminal, code: await ended };
}

exports.logs = async function logs(folder) {
  const answers = {};
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "serve.sh"), Buffer.from("export HCCL_BUFFSIZE=256\npython3 serve.py\n"));
  // A log alone starts no server; a script does.
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "serve.sh")));
  const uri = vscode.Uri.joinPath(folder, "run.log");
  await vscode.workspace.fs.writeFile(uri, Buffer.from(`INFO started\n${SMALL}\n`));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  const told = await until("diagnostics in the log", () => {
    const found = vscode.languages.getDiagnostics(uri).filter((each) => each.source === "npu-lsp");
    return found.length && found;
  });
  answers.diagnostics = told.map((each) => [each.range.start.line + 1, String(each.code?.value ?? each.code)]);
  answers.open = await page("npuLsp.explainLog");
  await written("plaintext", `${TAKEN}\n`);
  answers.pasted = await page("npuLsp.explainLog");
  const { terminal, code } = await failed(folder);
  answers.code = code;
  answers.terminal = await page("npuLsp.explainTerminal");
  terminal.dispose();
  return answers;
};
