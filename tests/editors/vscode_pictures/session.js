// What the pictures of the READMEs show: a script with its findings, and what is told of an option under the mouse.

const vscode = require("vscode");
const { please, until } = require("../until.js");

const run = (name, ...args) => vscode.commands.executeCommand(name, ...args);

async function picture(answers, language) {
  const settings = vscode.workspace.getConfiguration("npuLsp");
  await settings.update("language", language, vscode.ConfigurationTarget.Global);
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "serve.sh");
  const editor = await vscode.window.showTextDocument(uri, { preview: false });
  const findings = () => vscode.languages.getDiagnostics(uri).filter((d) => d.source === "npu-lsp");
  const inLanguage = (d) => /[\u4e00-\u9fff]/.test(d.message) === (language === "zh");
  await until(`findings in ${language}`, () => findings().length > 0 && findings().every(inLanguage));
  answers[language] = findings().map((d) => [d.range.start.line + 1, d.code.value]);
  const { document } = editor;
  const place = document.positionAt(document.getText().indexOf(process.env.HOVER) + 2);
  editor.selection = new vscode.Selection(place, place);
  await run("workbench.actions.view.problems");
  await run("workbench.action.focusActiveEditorGroup");
  await run("editor.action.showHover");
  await please({ seen: ".monaco-hover:not(.hidden) .hover-contents code", picture: `${process.env.PICTURES}/${language}.png` });
  await run("editor.action.hideHover");
  await run("workbench.action.closePanel");
  await run("workbench.action.focusActiveEditorGroup");
  await explorer(language);
  await run("workbench.action.closeAllEditors");
}

/** The options of the workspace, with their places and findings, beside the script that sets them. */
async function explorer(language) {
  const row = (level) => `.pane-body .monaco-list-row[aria-level='${level}']`;
  await run("npuLsp.options.focus");
  await please({ seen: row(1), drag: [170, 470], click: `${row(1)} .monaco-tl-twistie` });
  await please({ seen: `${row(3)} .monaco-icon-label`, picture: `${process.env.PICTURES}/options.${language}.png` });
  // What is open is remembered, for the other language, too.
  await run("workbench.actions.treeView.npuLsp.options.collapseAll");
  await please({ drag: [470, 170] });
  await run("workbench.action.closeSidebar");
}

exports.steps = async function steps(answers) {
  await vscode.commands.executeCommand("workbench.action.closeSidebar");
  await picture(answers, "en");
  await picture(answers, "zh");
};
