// What every session in VS Code needs: to wait, for $PATIENCE milliseconds at most, and to ask the window.

const vscode = require("vscode");

/** Returns what `probe` finds, once that is something; `what` it waits for is a text, or a function that knows it when it never came. */
async function until(what, probe) {
  const deadline = Date.now() + Number(process.env.PATIENCE);
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
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

module.exports = { asked, until };
