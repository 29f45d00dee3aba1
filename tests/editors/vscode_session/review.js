// The preview of all fixes of a file: what is ticked, what waits for a tick, and what is made of either.

const vscode = require("vscode");
const { please, until, written } = require("../until.js");

const SAFE = 'custom_op.parameter_map["use_off_line"].b = "True"\n';
const REVIEWED = 'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n';
const PANEL = ".bulk-edit-panel";
const BOX = `${PANEL} .monaco-list-row .edit-checkbox`;

const run = (name, ...args) => vscode.commands.executeCommand(name, ...args);

const codesIn = ({ uri }) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === "npu-lsp").map((d) => d.code?.value ?? d.code);

/** Agrees to what is ticked in the preview, and returns the text once it is another one. */
async function agreed(document) {
  const before = document.getText();
  await please({ press: "Apply", within: PANEL });
  await until(() => `the fixes of ${before}`, () => document.getText() !== before);
  return document.getText();
}

/** All cells of a notebook in which nothing is being edited: in the preview, and what is safe at once. */
async function inNotebook(python) {
  const cells = [python, SAFE, REVIEWED].map((text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, "python"));
  const notebook = await vscode.workspace.openNotebookDocument("jupyter-notebook", new vscode.NotebookData(cells));
  await vscode.window.showNotebookDocument(notebook);
  const texts = () => notebook.getCells().map(({ document }) => document.getText());
  const codes = (index) => codesIn(notebook.cellAt(index).document);
  await until(() => `findings in cells, not ${codes(1)} and ${codes(2)}`, () => codes(1).includes("NPU103") && codes(2).includes("NPU101"));
  void run("npuLsp.reviewFixes");
  await please({ click: `${BOX}:not(:checked)` });
  const before = texts().join();
  await please({ press: "Apply", within: PANEL });
  await until("the cells to be mended", () => texts().join() !== before);
  const reviewed = texts();
  await notebookEdit(notebook.cellAt(1), SAFE);
  await until("the slip to be back", () => codes(1).includes("NPU103"));
  await run("npuLsp.fixAll");
  await until("the cell to be mended", () => texts()[1] !== SAFE);
  await run("workbench.action.revertAndCloseActiveEditor");
  return { reviewed, safe: texts()[1] };
}

async function notebookEdit({ document }, text) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
}

/** A text in folds of YAML, in one folder of the workspace and in another one, whose settings leave its finding out. */
async function folded() {
  const [first, other] = vscode.workspace.workspaceFolders;
  const open = (folder) => vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "folded.yaml"));
  const quiet = (await open(other)).document;
  const { document } = await open(first);
  await until("the slip in folds", () => codesIn(document).includes("NPU101"));
  const at = document.positionAt(document.getText().indexOf("HCCL_") + 2);
  const actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, new vscode.Range(at, at), "quickfix", 10);
  void run("npuLsp.reviewFixes");
  await please({ click: `${BOX}:not(:checked)` });
  const text = await agreed(document);
  await run("workbench.action.files.revert");
  return { text, actions: actions.map(({ title }) => title), quiet: codesIn(quiet) };
}

exports.patch = async function patch(folder) {
  const { document } = await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, "env.patch"));
  await until("the finding in a patch", () => codesIn(document).length > 0);
  return [document.languageId, ...codesIn(document)];
};

exports.review = async function review(python) {
  const { document } = await written("python", python + SAFE + REVIEWED);
  const codes = () => codesIn(document);
  await until(() => `both findings, not ${codes()}`, () => codes().includes("NPU101") && codes().includes("NPU103"));
  // The command ends when somebody has agreed.
  void run("npuLsp.reviewFixes");
  await please({ seen: `${BOX}:checked` });
  await please({ seen: `${BOX}:not(:checked)` });
  const safe = await agreed(document);
  await until("the safe one to be gone", () => !codes().includes("NPU103"));
  // Nothing is safe any more: a message says so, and leads to the preview.
  void run("npuLsp.fixAll");
  await please({ press: "Show", within: ".notifications-toasts" });
  await please({ click: `${BOX}:not(:checked)` });
  const all = await agreed(document);
  await run("workbench.action.revertAndCloseActiveEditor");
  await until("the text to be gone", () => document.isClosed);
  return { safe: safe.slice(python.length), all: all.slice(python.length), notebook: await inNotebook(python), folded: await folded() };
};
