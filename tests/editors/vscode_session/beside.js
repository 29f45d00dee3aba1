// Other language servers in the same window: whose completions come first?

const vscode = require("vscode");
const clients = require("../clients.js");
const { asked, until, written } = require("../until.js");

const run = (name, ...args) => vscode.commands.executeCommand(name, ...args);

/**
 * Opens a text, asks for the list at its end and takes what is selected, as often as `times`; returns the last lines. The
 * list opens by itself where something is `typed`.
 */
async function taken(language, text, sign, times, typed) {
  const editor = await written(language, text);
  const { document } = editor;
  const end = document.lineAt(document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  let labels = [];
  await until(
    () => `${sign} behind ${document.languageId} ${JSON.stringify(document.getText())}: ${labels.length}, ${labels.slice(0, 20)}`,
    async () => {
      const { items } = await asked("vscode.executeCompletionItemProvider", document.uri, end);
      labels = items.map((item) => item.label.label ?? item.label);
      return labels.includes(sign);
    },
  );
  const lines = [];
  if (typed) await run("type", { text: typed });
  else await run("editor.action.triggerSuggest");
  for (let count = 0, tries = 1; count < times; count++) {
    const before = document.version;
    await until(`a list after ${document.getText()}`, async () => {
      // A list that was cancelled doesn't come back by itself.
      if (!typed && ++tries % 200 === 0) await run("editor.action.triggerSuggest");
      await run("acceptSelectedSuggestion");
      return document.version !== before;
    });
    lines.push(document.lineAt(document.lineCount - 1).text);
  }
  await run("workbench.action.revertAndCloseActiveEditor");
  // The next one gets its name, and what it holds as long as that is there.
  await until("the text to be gone", () => document.isClosed);
  return lines;
}

/**
 * Types letters at the end of a text at a person's speed and takes what the list that opens by itself has selected once the server knows
 * a name there; returns the last line.
 * Lists of words in the text compete: a word that goes on as the name does stands there.
 */
async function typedOut({ document }, letters, name) {
  await run("cursorBottom");
  for (const letter of letters) {
    await run("type", { text: letter });
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  // Whoever reads a list that other servers fill sees it as it is once all have answered.
  await until(`${name} behind ${document.getText()}`, async () => {
    const { items } = await asked("vscode.executeCompletionItemProvider", document.uri, vscode.window.activeTextEditor.selection.active);
    return items.some((item) => (item.label.label ?? item.label) === name);
  });
  const before = document.version;
  await until(`a list after ${document.getText()}`, async () => {
    await run("acceptSelectedSuggestion");
    return document.version !== before;
  });
  return document.lineAt(document.lineCount - 1).text;
}

/** Opens a file, or the first cell of a notebook, and types behind it. */
async function typedInto({ path, letters, name }) {
  const uri = vscode.Uri.file(path);
  if (!path.endsWith(".ipynb")) return typedOut(await vscode.window.showTextDocument(uri), letters, name);
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  await vscode.window.showNotebookDocument(notebook);
  const { document } = notebook.cellAt(0);
  await until("the cell to be edited", async () => {
    await run("notebook.cell.edit");
    return vscode.window.activeTextEditor?.document === document;
  });
  return typedOut(vscode.window.activeTextEditor, letters, name);
}

/** Types each of some letters into its own file. */
exports.typed = async function typed(every) {
  const lines = [];
  for (const each of every) {
    lines.push(await typedInto(each));
    await run("workbench.action.revertAndCloseActiveEditor");
  }
  return lines;
};

exports.beside = async function beside(python) {
  const { running, heard } = await clients.neighbours();
  const key = await taken("python", `${python}custom_op.parameter_map["precision_mo`, "precision_mode", 3);
  const bool = await taken("python", `${python}custom_op.parameter_map["use_off_line"].b = `, "async", 1);
  const argument = await taken("python", `${python}run = NPURunConfig(pre`, "precision_mode", 1);
  const blank = await taken("python", `${python}custom_op.parameter_map["graph_run_mode"].i =`, "async", 1, " ");
  const group = await taken("python", "import npu_device as npu\nnpu.global_options().dump", "dump_config", 2);
  const object = await taken("python", `${python}run = NPURunConfig(dump_config=`, "async", 2);
  const comma = await taken("python", `${python}run = NPURunConfig(\n    hcom_parallel=True\n    precision_m`, "precision_mode", 1);
  const flag = await taken("shellscript", "atc --model=a.onnx ", "if", 1);
  const typed = await exports.typed(JSON.parse(process.env.TYPED));
  await Promise.all(running.map((client) => client.dispose()));
  return { key, bool, argument, blank, group, object, comma, flag, typed, heard: [...heard] };
};
