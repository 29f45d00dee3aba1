// Other language servers in the same window: whose completions come first?

const { join } = require("node:path");
const { createRequire } = require("node:module");
const vscode = require("vscode");
const { asked, until, written } = require("../until.js");
const { LanguageClient } = createRequire(join(__dirname, "../../../editors/vscode/package.json"))("vscode-languageclient/node");

const run = (name, ...args) => vscode.commands.executeCommand(name, ...args);

const NEIGHBOURS = [
  ["python", "basedpyright/langserver.index.js", "--stdio"],
  ["shellscript", "bash-language-server/out/cli.js", "start"],
];

async function started() {
  const clients = NEIGHBOURS.map(([language, program, argument]) => {
    const module = join(process.env.NEIGHBOURS, "node_modules", program);
    return new LanguageClient(program, { command: process.execPath, args: [module, argument] }, { documentSelector: [{ language }] });
  });
  await Promise.all(clients.map((client) => client.start()));
  return clients;
}

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
 * Types letters behind a text at a person's speed and takes what the list that opens by itself has selected; returns the last line.
 * Lists of words in the text compete: a word that goes on as the name does stands there.
 */
async function typedOut(language, text, letters) {
  const editor = await written(language, text);
  const { document } = editor;
  const end = document.lineAt(document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  for (const letter of letters) {
    await run("type", { text: letter });
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  // Whoever reads a list that other servers fill sees it as it is once all have answered.
  await asked("vscode.executeCompletionItemProvider", document.uri, editor.selection.active);
  const before = document.version;
  await until(`a list after ${document.getText()}`, async () => {
    await run("acceptSelectedSuggestion");
    return document.version !== before;
  });
  const line = document.lineAt(document.lineCount - 1).text;
  await run("workbench.action.revertAndCloseActiveEditor");
  await until("the text to be gone", () => document.isClosed);
  return line;
}

exports.beside = async function beside(python) {
  const clients = await started();
  const key = await taken("python", `${python}custom_op.parameter_map["precision_mo`, "precision_mode", 3);
  const bool = await taken("python", `${python}custom_op.parameter_map["use_off_line"].b = `, "async", 1);
  const argument = await taken("python", `${python}run = NPURunConfig(pre`, "precision_mode", 1);
  const blank = await taken("python", `${python}custom_op.parameter_map["graph_run_mode"].i =`, "async", 1, " ");
  const group = await taken("python", "import npu_device as npu\nnpu.global_options().dump", "dump_config", 2);
  const object = await taken("python", `${python}run = NPURunConfig(dump_config=`, "async", 2);
  const comma = await taken("python", `${python}run = NPURunConfig(\n    hcom_parallel=True\n    precision_m`, "precision_mode", 1);
  const flag = await taken("shellscript", "atc --model=a.onnx ", "if", 1);
  const hidden = [
    await typedOut("shellscript", 'OLD=HCCL_BUFFSIZED\necho "', "$HCCL_BUFFS"),
    await typedOut("shellscript", 'OLD=HCCL_BUFFSIZED\necho "', "${HCCL_BUFFS"),
    await typedOut("shellscript", "OLD=HCCL_BUFFSIZED\n", "HCCL_BUFFS"),
    await typedOut("python", 'OLD = "HCCL_BUFFSIZED"\nimport os\nos.environ[', '"HCCL_BUFFS'),
    await typedOut("yaml", "# HCCL_BUFFSIZED\nservices:\n  a:\n    environment:\n      - ", "HCCL_BUFFS"),
    await typedOut("dockerfile", "# HCCL_BUFFSIZED\nFROM x\nENV ", "HCCL_BUFFS"),
  ];
  await Promise.all(clients.map((client) => client.dispose()));
  return { key, bool, argument, blank, group, object, comma, flag, hidden };
};
