// What logs tell: diagnostics of a log that is open, the page about it, that of a pasted one, and that of what a terminal printed last.

const vscode = require("vscode");
const { please, until, written } = require("../until.js");

const SMALL = "HCCL_BUFFSIZE is too SMALL, maxBs = 8, NEEDED_HCCL_BUFFSIZE((a) * 2) = 700MB, HCCL_BUFFSIZE=256MB.";
const TAKEN = "RuntimeError: The Inner error is reported. listen on ip[10.0.0.2] and specific port[16666] fail.";
const MISSING = "ImportError: libatb.so: cannot open shared object file: No such file or directory";
const SCHEME = "npu-lsp-log";

const pages = () => vscode.workspace.textDocuments.filter((document) => document.uri.scheme === SCHEME);

/** Has a command make a page, and returns what stands on it; a `link` of it is followed to the file that it names. */
async function page(command, link) {
  const before = new Set(pages().map((document) => document.uri.path));
  await vscode.commands.executeCommand(command);
  const made = await until(`the page of ${command}`, () => pages().find((document) => !before.has(document.uri.path)));
  const text = made.getText();
  if (link) {
    await please({ link });
    await until(`${link} to be shown`, () => vscode.window.activeTextEditor?.document.uri.path.endsWith(link));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  }
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  return text;
}

/** Has a command fail in a terminal: it prints what a shell with integration prints around the prompt, the command, its output and its end. */
async function failed(command, output) {
  const prints = new vscode.EventEmitter();
  const heard = [];
  const once = (event) => new Promise((resolve) => heard.push(event(resolve)));
  const opened = new Promise((open) => {
    const pty = { onDidWrite: prints.event, open, close() {} };
    vscode.window.createTerminal({ name: "failing", pty }).show();
  });
  await opened;
  const [ready, begun, ended] = [
    once(vscode.window.onDidChangeTerminalShellIntegration),
    once(vscode.window.onDidStartTerminalShellExecution),
    once(vscode.window.onDidEndTerminalShellExecution),
  ];
  prints.fire("\x1b]633;A\x07$ \x1b]633;B\x07");
  await ready;
  prints.fire(`${command}\x1b]633;E;${command}\x07\x1b]633;C\x07`);
  await begun;
  prints.fire(`\r\n${output}\r\n\x1b]633;D;1\x07\x1b]633;A\x07$ \x1b]633;B\x07`);
  const { terminal, exitCode } = await ended;
  for (const each of heard) each.dispose();
  return { terminal, code: exitCode };
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
  answers.open = await page("npuLsp.explainLog", "serve.sh");
  await written("plaintext", `${TAKEN}\n`);
  answers.pasted = await page("npuLsp.explainLog");
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  const { terminal, code } = await failed("python3 serve.py", MISSING);
  answers.code = code;
  answers.terminal = await page("npuLsp.explainTerminal");
  terminal.dispose();
  return answers;
};
