// The preview of all fixes of a file: what is ticked, what waits for a tick, and what is made of either.

const vscode = require("vscode");
const { please, until, written } = require("../until.js");

const SAFE = 'custom_op.parameter_map["use_off_line"].b = "True"\n';
const REVIEWED = 'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n';
const PANEL = ".bulk-edit-panel";
const BOX = `${PANEL} .monaco-list-row .edit-checkbox`;

const run = (name, ...args) => vscode.commands.executeCommand(name, ...args);

/** Agrees to what is ticked in the preview, and returns the text once it is another one. */
async function agreed(document) {
  const before = document.getText();
  await please({ press: "Apply", within: PANEL });
  await until(() => `the fixes of ${before}`, () => document.getText() !== before);
  return document.getText();
}

exports.review = async function review(python) {
  const { document } = await written("python", python + SAFE + REVIEWED);
  const codes = () => vscode.languages.getDiagnostics(document.uri).filter((d) => d.source === "npu-lsp").map((d) => d.code?.value ?? d.code);
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
  return { safe: safe.slice(python.length), all: all.slice(python.length) };
};
