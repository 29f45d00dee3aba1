// What a user does in VS Code, step by step, in its own extension host.

const vscode = require("vscode");
const { asked, until, written } = require("../until.js");
const { beside, typed } = require("./beside.js");
const { logs } = require("./logs.js");
const { patch, review } = require("./review.js");

const OPERATOR = [
  "import tensorflow as tf",
  "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()",
  'custom_op.name = "NpuOptimizer"',
  "",
].join("\n");

function place(document, text, extra = 0) {
  const offset = document.getText().indexOf(text);
  if (offset < 0) throw new Error(`no ${text}`);
  return document.positionAt(offset + extra);
}

const plain = (diagnostics) =>
  diagnostics.map((d) => ({ line: d.range.start.line + 1, code: d.code?.value ?? d.code, source: d.source, message: d.message }));

/** Milliseconds after which a key that was pressed has had no effect: on a slow machine one is lost now and then. */
const LOST = 20_000;

/** Presses the key of the preferred fix until `done`: again only where nothing came of it, since the next one may make a fix of what is left. */
async function fixByKey(what, select, done) {
  let pressed = 0;
  await until(what, async () => {
    if (Date.now() - pressed > LOST) {
      pressed = Date.now();
      select();
      await vscode.commands.executeCommand("editor.action.codeAction", { kind: "quickfix", apply: "first", preferred: true });
    }
    return done();
  });
}

/** Does what an action is for, as another extension does that asks for it. */
async function act({ edit, command }) {
  if (edit) await vscode.workspace.applyEdit(edit);
  if (command) await vscode.commands.executeCommand(command.command, ...command.arguments);
}

/** Holds back what the server answers to who has chosen an action; returns who waits, and what lets go of all of them. */
function held(extension) {
  const { client } = extension.exports.server;
  const { sendRequest } = client;
  const waiting = [];
  client.sendRequest = async (type, ...rest) => {
    const answer = await sendRequest.call(client, type, ...rest);
    if (type.method === "codeAction/resolve") await new Promise((resolve) => waiting.push(resolve));
    return answer;
  };
  const release = () => {
    client.sendRequest = sendRequest;
    for (const resolve of waiting) resolve();
  };
  return { waiting, release };
}

const findingsIn = (document) => () => vscode.languages.getDiagnostics(document.uri).filter((d) => d.source === "npu-lsp");

async function python(answers, folder) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "train.py"));
  const editor = await vscode.window.showTextDocument(document);
  const findings = findingsIn(document);
  await until("findings", () => findings().length > 0);
  answers.findings = plain(findings());
  answers.link = findings()[0].code.target.toString();

  const hovers = await asked("vscode.executeHoverProvider", document.uri, place(document, "use_off_line", 2));
  answers.hover = hovers.flatMap((hover) => hover.contents.map((content) => content.value ?? String(content))).join("\n");

  const typo = place(document, "precison_mode", 2);
  const actions = await asked("vscode.executeCodeActionProvider", document.uri, new vscode.Range(typo, typo), "quickfix", 10);
  answers.actions = actions.map((action) => action.title);
  const rename = actions.find((action) => action.title.includes("precision_mode"));
  await act(rename);
  answers.fixed = document.getText();
  await until("the finding to go", () => plain(findings()).every((finding) => finding.code !== "NPU101"));

  const end = document.lineAt(document.lineCount - 1).range.end;
  const typed = 'custom_op.parameter_map["graph_r';
  await editor.edit((edit) => edit.insert(end, typed));
  const last = document.lineAt(document.lineCount - 1);
  const completion = await asked("vscode.executeCompletionItemProvider", document.uri, last.range.end, undefined, 200);
  answers.completion = completion.items.map((item) => (typeof item.label === "string" ? item.label : item.label.label));
  answers.documentation = completion.items.find((item) => (item.label.label ?? item.label) === "graph_run_mode")?.documentation?.value;
}

async function shell(answers, folder) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "convert.sh"));
  const editor = await vscode.window.showTextDocument(document);
  const findings = findingsIn(document);
  await until("findings in the shell script", () => findings().length > 0);
  answers.shell = plain(findings());
  const flag = place(document, "--op_select_implmode", 4);
  const actions = await asked("vscode.executeCodeActionProvider", document.uri, new vscode.Range(flag, flag), "quickfix", 10);
  answers.shellActions = actions.map((action) => action.title);
  const before = document.version;
  await fixByKey("the fix", () => (editor.selection = new vscode.Selection(flag, flag)), () => document.version !== before);
  answers.shellFixed = document.getText();
  const ini = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "op_precision.ini"));
  answers.ini = ini.getText();
}

// Who types on while the edit of a fix is made gets no edit of the old text.
async function typedMeanwhile(answers, extension) {
  const editor = await written("shellscript", "atc --model=a.onnx --framework=5 --output=a --soc_versoin=Ascend310P3\n");
  const { document } = editor;
  await until("the slip", () => findingsIn(document)().length > 0);
  const select = () => (editor.selection = new vscode.Selection(place(document, "--soc", 3), place(document, "--soc", 3)));
  const { waiting, release } = held(extension);
  await fixByKey("the edit", select, () => waiting.length);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "# 昇腾\n"));
  release();
  const { version } = document;
  await fixByKey("the fix of the new text", select, () => document.version !== version);
  answers.typedMeanwhile = document.getText();
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

// Whoever presses the key again before the fix is made gets it once.
async function pressedOften(answers, extension) {
  const editor = await written("shellscript", "atc --model=a.onnx --framework=5 --output=昇腾 --soc_vrsion=Ascend310P3\n");
  const { document } = editor;
  await until("the slip", () => findingsIn(document)().length > 0);
  const select = () => (editor.selection = new vscode.Selection(place(document, "--soc", 3), place(document, "--soc", 3)));
  const { waiting, release } = held(extension);
  for (let times = 1; times <= 3; times++) await fixByKey(`edit ${times}`, select, () => waiting.length >= times);
  const { version } = document;
  release();
  await until("the fix", () => document.version !== version);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  answers.pressedOften = document.getText();
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

// A configuration that is in no tab, which several actions change at the same time.
async function switchedOff(answers, folder) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "off/convert.sh"));
  await vscode.window.showTextDocument(document);
  const [{ range }] = await until("the slip", () => findingsIn(document)().length && findingsIn(document)());
  const offered = () => asked("vscode.executeCodeActionProvider", document.uri, range, "quickfix", 20);
  const off = async () => (await offered()).find((action) => action.title.startsWith("Turn NPU101 off"));
  const actions = [await off(), await off(), await off()];
  await Promise.all(actions.map(act));
  const configuration = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "off/npu-lsp.toml"));
  await configuration.save();
  answers.switchedOff = configuration.getText();
  await until("the finding to go", () => findingsIn(document)().length === 0);
}

// By the menu of refactorings, as `⌃⇧R` opens it, and back with one undo.
async function refactorings(answers) {
  const text = "atc --model=a.onnx --framework=5 --output=昇腾 --soc_version=Ascend310P3\n";
  const editor = await written("shellscript", text);
  const { document } = editor;
  const at = place(document, "--output", 3);
  const offered = () => asked("vscode.executeCodeActionProvider", document.uri, new vscode.Range(at, at), "refactor.rewrite", 10);
  const actions = await until("refactorings", async () => (await offered()).length && offered());
  answers.refactorings = [];
  for (const { title } of actions) {
    editor.selection = new vscode.Selection(at, at);
    const chosen = (await offered()).find((action) => action.title === title);
    await act(chosen);
    answers.refactorings.push([title, document.getText()]);
    await vscode.commands.executeCommand("undo");
    await until("the text as it was", () => document.getText() === text);
  }
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

// Files that no language server of their own wakes.
async function others(answers, folder) {
  const ini = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "switches/op_precision.ini"));
  await vscode.window.showTextDocument(ini);
  answers.sidecar = plain(await until("findings in a file that options point to", () => findingsIn(ini)().length && findingsIn(ini)()));

  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.joinPath(folder, "train.ipynb"));
  await vscode.window.showNotebookDocument(notebook);
  const cell = notebook.cellAt(1).document;
  answers.notebook = plain(await until("findings in a notebook", () => findingsIn(cell)().length && findingsIn(cell)()));
  const typed = new vscode.WorkspaceEdit();
  typed.insert(cell.uri, new vscode.Position(0, 0), "# 昇腾\n");
  await vscode.workspace.applyEdit(typed);
  const [{ range }] = await until("findings of the cell as it is", () => findingsIn(cell)()[0]?.range.start.line === 1 && findingsIn(cell)());
  const [fix] = await asked("vscode.executeCodeActionProvider", cell.uri, range, "quickfix", 10);
  await act(fix);
  answers.cellFixed = cell.getText();
}

// The first folder's settings say nothing; those of the others silence the only finding.
async function folders(answers) {
  const codes = (document) => plain(findingsIn(document)()).map((finding) => finding.code);
  const script = (folder) => vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "train.py"));
  const quiet = vscode.workspace.workspaceFolders[1].uri;
  const late = vscode.Uri.joinPath(quiet, "../late");
  const outside = await script(late);
  await until("findings outside of all folders", () => codes(outside).length > 0);
  answers.late = [codes(outside)];
  const silent = await script(quiet);
  vscode.workspace.updateWorkspaceFolders(2, 0, { uri: late });
  await until("the settings of the new folder", () => codes(outside).length === 0);
  answers.late.push(codes(outside));
  answers.quiet = codes(silent);
}

// What nobody has opened is checked where that is set.
async function wholeWorkspace(answers, folder) {
  const mode = (value) => vscode.workspace.getConfiguration("npuLsp").update("diagnosticMode", value, vscode.ConfigurationTarget.Workspace);
  const uri = vscode.Uri.joinPath(folder, "switches/closed.sh");
  const found = () => vscode.languages.getDiagnostics(uri);
  await mode("workspace");
  await until("findings of a file that is closed", () => found().length > 0);
  answers.closed = found().map((d) => [d.range.start.line + 1, d.range.start.character, d.severity, d.code.value, d.source]);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("echo\n"));
  await until("the findings to go with what is on the disk", () => found().length === 0);
  await mode("openFilesOnly");
}

// A file that no selector knows by its name, which a script names, and one that is typed from nothing.
async function anyName(answers, folder) {
  const script = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "named.sh"));
  await vscode.window.showTextDocument(script);
  const modes = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "modes.ini"));
  await vscode.window.showTextDocument(modes);
  answers.named = plain(await until("findings in a file that a script names", () => findingsIn(modes)().length && findingsIn(modes)()));
  const typed = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "my.cfg"));
  const editor = await vscode.window.showTextDocument(typed);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "[ByOpType]\nSoftmax=high_precison\n"));
  answers.typed = plain(await until("findings in a file that was empty", () => findingsIn(typed)().length && findingsIn(typed)()));
}

async function fixOnSave(answers, folder) {
  const settings = vscode.workspace.getConfiguration("editor");
  await settings.update("codeActionsOnSave", { "source.fixAll.npu-lsp": "explicit" }, vscode.ConfigurationTarget.Workspace);
  const saved = async (name) => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name));
    const editor = await vscode.window.showTextDocument(document);
    await until("findings to fix", () => findingsIn(document)().length > 0);
    await editor.edit((edit) => edit.insert(document.lineAt(document.lineCount - 1).range.end, "# saved\n"));
    await document.save();
    return document.getText();
  };
  answers.saved = await saved("saved.sh");
  answers.savedWithFile = await saved("listed/convert.sh");
  const made = vscode.Uri.joinPath(folder, "listed/op_precision.ini");
  answers.savedFile = new TextDecoder().decode(await vscode.workspace.fs.readFile(made));
  answers.dirty = vscode.workspace.textDocuments.filter((each) => each.isDirty).map((each) => each.uri.path);
  await vscode.commands.executeCommand("undo");
  const exists = () => vscode.workspace.fs.stat(made).then(() => true, () => false);
  await until("the file to go with the fix", async () => !(await exists()));
  answers.undone = vscode.window.activeTextEditor.document.getText();
}

// The process is killed: the findings come back by themselves.
async function crash(answers, folder, extension) {
  const { server } = extension.exports;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "saved.sh"));
  await until("findings before the crash", () => findingsIn(document)().length > 0);
  answers.crashes = 0;
  for (; answers.crashes < 5; answers.crashes++) {
    await until("the server to run", () => server.running && !server.starting);
    const { pid } = await server.request("npu-lsp/status", {});
    const { last } = server;
    process.kill(pid, "SIGKILL");
    // It may run again before anybody looks: then it was started once more.
    await until("the server to be gone", () => !server.running || server.last !== last);
    if (answers.crashes < 4) await until("findings after a crash", () => server.running && findingsIn(document)().length > 0);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  answers.goneForGood = !server.running && !server.starting;
  const doctor = await vscode.workspace.openTextDocument(vscode.Uri.parse("npu-lsp:/doctor.yaml?after"));
  answers.doctorAfter = doctor.getText();
  await server.restart();
}

async function pages(answers, extension) {
  const text = async (uri) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText();
  answers.rule = await text("npu-lsp:/NPU101.md");
  answers.doctor = await text("npu-lsp:/doctor.yaml");
  await vscode.commands.executeCommand("npuLsp.openRule", "NPU101");
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await until("the page of the rule", () => tabs().some((tab) => tab.label.includes("NPU101")));
  answers.status = extension.exports.status.text;
  await vscode.commands.executeCommand("npuLsp.openConfiguration");
  answers.configuration = [vscode.window.activeTextEditor.document.uri.toString(), vscode.window.activeTextEditor.document.getText()];
}

// A launch beside the page that is about its model.
async function recipe(answers) {
  const { document } = await written("shellscript", "export HCCL_BUFFSIZE=9\nvllm serve /weights/DeepSeek-V3.1-w8a8\n");
  const at = place(document, "serve");
  const compares = ({ command }) => command?.command === "npuLsp.compareRecipe";
  const offered = () => asked("vscode.executeCodeActionProvider", document.uri, new vscode.Range(at, at), "refactor.rewrite", 10);
  const action = await until("the comparison", async () => (await offered()).find(compares));
  await act(action);
  const page = () => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "npu-lsp" && uri.path.startsWith("/recipe/"));
  answers.recipe = [action.title, (await until("the page of the recipe", page)).getText()];
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

// The first offers: the newest version, no product in particular.
async function target(answers, folder, extension) {
  let done = false;
  void vscode.commands.executeCommand("npuLsp.chooseTarget").then(() => (done = true));
  await until("the target to be chosen", async () => {
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    return done;
  });
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, "npu-lsp.toml"));
  answers.target = new TextDecoder().decode(bytes);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, "npu-lsp.toml"));
  await until("the new target in the status bar", () => extension.exports.status.text.startsWith("CANN "));
}

// Each failure is one message, which the window shows; a server that is found again runs again.
async function failures(answers, folder, extension) {
  const { server } = extension.exports;
  // Each change starts the server once more, some time after the setting is written.
  const path = async (value) => {
    const { last } = server;
    await vscode.workspace.getConfiguration("npuLsp").update("server.path", value, vscode.ConfigurationTarget.Global);
    await until(`a start of ${value}`, () => server.last !== last && !server.starting);
  };
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "saved.sh"));
  await path("~/there-is-no-server");
  answers.failed = [!server.running];
  await path("/bin/false");
  answers.failed.push(!server.running);
  await path("${workspaceFolder}/../npu-lsp");
  await until("the server to run again", () => server.running);
  answers.again = plain(await until("findings of the new server", () => findingsIn(document)().length && findingsIn(document)()));
}

// The list of options: what the workspace sets, with its places and its findings, and what is known of one option.
async function explorer(answers, folder, extension) {
  const { options } = extension.exports;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "listed/convert.sh"));
  await until("findings of a deprecated option", () => findingsIn(document)().length > 0);
  const [workspace, ...surfaces] = await until("options", async () => (await options.getChildren()).length && options.getChildren());
  answers.surfaces = surfaces.map((node) => options.getTreeItem(node).label);
  const used = await options.getChildren(workspace);
  answers.usedSurfaces = used.map((node) => options.getTreeItem(node).label);
  const set = (await Promise.all(used.map((node) => options.getChildren(node)))).flat();
  answers.set = set.map((node) => [options.getTreeItem(node).label, options.getTreeItem(node).description]);
  const places = await options.getChildren(set.find((node) => node.option.name === "--op_precision_mode"));
  answers.places = places.map((place) => options.getTreeItem(place).label);
  const item = await options.resolveTreeItem(options.getTreeItem(set[0]), set[0]);
  answers.tooltip = item.tooltip.value;
  const page = await vscode.workspace.openTextDocument(vscode.Uri.parse("npu-lsp:/option/atc/model.md"));
  answers.optionPage = page.getText();
}

exports.steps = async function steps(answers) {
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const extension = vscode.extensions.getExtension("npu-lsp.npu-lsp");
  answers.version = vscode.version;
  // Nothing is open, and the server doesn't run: it is started by the notebook that somebody types into.
  const fresh = { path: vscode.Uri.joinPath(folder, "fresh.ipynb").fsPath, letters: 'os.environ["HCCL_', name: "HCCL_BUFFSIZE" };
  answers.freshNotebook = await typed([fresh]);
  await others(answers, folder);
  await python(answers, folder);
  await folders(answers);
  await shell(answers, folder);
  await typedMeanwhile(answers, extension);
  await pressedOften(answers, extension);
  await switchedOff(answers, folder);
  await refactorings(answers);
  await wholeWorkspace(answers, folder);
  await anyName(answers, folder);
  await explorer(answers, folder, extension);
  answers.beside = await beside(OPERATOR);
  answers.review = await review(OPERATOR);
  answers.patch = await patch(folder);
  answers.logs = await logs(folder);
  await fixOnSave(answers, folder);
  await recipe(answers);
  await pages(answers, extension);
  await target(answers, folder, extension);
  await crash(answers, folder, extension);
  await failures(answers, folder, extension);
};
