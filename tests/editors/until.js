// What every session in VS Code needs: to wait, for $PATIENCE milliseconds at most, and to ask the window.

const { existsSync, renameSync, writeFileSync } = require("node:fs");
const vscode = require("vscode");

/** Returns what `probe` finds, once that is something; `what` it waits for is a text, or a function that knows it when it never came. */
async function until(what, probe) {
  const deadline = Date.now() + Number(process.env.PATIENCE);
  // Each probe keeps the window busy, which has the same processor: what takes its time is asked for less and less often.
  for (let pause = 20; ; pause = Math.min(pause * 1.3, 300)) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Has VS Code ask its providers. It cancels that when another extension registers one meanwhile, and then asks again by itself, as we do. */
function asked(command, ...args) {
  return until(command, () =>
    vscode.commands.executeCommand(command, ...args).then(
      (found) => found ?? [],
      (error) => {
        if (error?.name !== "Canceled" && !/^Canceled/.test(error?.message)) throw error;
      },
    ),
  );
}

/** Shows a new text, and returns its editor. */
async function written(language, text) {
  const document = await vscode.workspace.openTextDocument({ language, content: text });
  const editor = await vscode.window.showTextDocument(document);
  // It has the name of one that was closed, and on a slow machine what was kept of that for after a crash.
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  if (document.getText() !== text) await editor.edit((edit) => edit.replace(all, text));
  return editor;
}

/** Has the one who looks at the window do something; see `obey` in visit.js. */
async function please(what) {
  const asked = `${process.env.ANSWERS}.do`;
  writeFileSync(`${asked}.part`, JSON.stringify(what));
  renameSync(`${asked}.part`, asked);
  await until(JSON.stringify(what), () => !existsSync(asked));
}

module.exports = { asked, please, until, written };
