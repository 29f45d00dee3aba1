// A machine with nothing but a Python, and a folder that nobody trusts yet.

const vscode = require("vscode");
const { please, until } = require("../until.js");

const findings = (document) => vscode.languages.getDiagnostics(document.uri).map((d) => [d.range.start.line + 1, d.code?.value]);
const text = async (uri) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText();
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);

exports.steps = async function steps(answers) {
  const { server } = await vscode.extensions.getExtension("npu-lsp.npu-lsp").activate();
  const idle = () => until("an end of starting", () => server.wanted && !server.starting);
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const PATH = process.env.PATH;

  // Restricted, and no Python: no message, but every command says why.
  process.env.PATH = "/nowhere";
  answers.trusted = [vscode.workspace.isTrusted];
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "convert.sh"));
  await vscode.window.showTextDocument(document);
  await idle();
  answers.restricted = findings(document);
  answers.doctor = await text("npu-lsp:/doctor.yaml?restricted");

  // Trusted, with the Python that this machine has: the server that came with the extension.
  process.env.PATH = PATH;
  void vscode.commands.executeCommand("workbench.trust.manage");
  await until("the page of trust", () => tabs().some((label) => /trust/i.test(label)));
  await please({ press: "Trust", within: ".workspace-trust-editor" });
  await until("trust", () => vscode.workspace.isTrusted);
  answers.trusted.push(vscode.workspace.isTrusted);
  await vscode.window.showTextDocument(document);
  answers.findings = await until("findings", () => findings(document).length && findings(document));
  answers.command = await server.locate();

  // A server of the project, which is older than the extension.
  const python = vscode.Uri.joinPath(folder, ".venv/bin/python");
  await vscode.workspace.fs.rename(vscode.Uri.joinPath(folder, "older"), python);
  await server.restart();
  await until("the older server", () => server.running);
  answers.older = (await server.locate()).command;
  answers.version = (await server.status()).version;
  await please({ press: "Use the one that came with the extension" });
  await until("the bundled server", async () => server.running && !server.starting && (await server.locate()).args[1]?.endsWith("start.py"));
  await vscode.workspace.fs.delete(python);

  // No Python at all: one message, whose button opens the page that tells what to install.
  process.env.PATH = "/nowhere";
  await vscode.commands.executeCommand("npuLsp.restart");
  await idle();
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await please({ press: "How to install it" });
  await until("the page that tells what to install", () => tabs().length);
  answers.page = tabs();
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("npuLsp.chooseTarget");
};
