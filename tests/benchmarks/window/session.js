// Servers side by side in one window of VS Code: how long from a key until each has told what it finds, and until each has its list.
// All are started in the same way, and each is asked by its own client, so that none waits for the answer of another.

const vscode = require("vscode");
const clients = require("../../editors/clients.js");
const { until, written } = require("../../editors/until.js");

const { rounds, servers, texts } = JSON.parse(process.env.SERVERS);
const LETTERS = "abcde";
/** Milliseconds after which all are done with what came before. */
const QUIET = 1500;
const still = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** A client, and when it last told what it found in which version of a document: pushed, or asked for by the window. */
async function started(server) {
  const told = { at: 0 };
  const note = (uri) => {
    told.uri = String(uri);
    told.at = performance.now();
  };
  const middleware = {
    handleDiagnostics: (uri, found, next) => {
      note(uri);
      next(uri, found);
    },
    provideDiagnostics: async (document, previous, token, next) => {
      const found = await next(document, previous, token);
      if (found) note(document.uri ?? document);
      return found;
    },
  };
  const client = await clients.started(server, middleware);
  const lists = client.initializeResult.capabilities.completionProvider !== undefined;
  return { name: server.name, client, told, languages: server.languages, lists };
}

/** Types a letter at a place, or takes away the one that stands there. */
async function typed(editor, at, letter) {
  await editor.edit((edit) => (letter ? edit.insert(at, letter) : edit.delete(new vscode.Range(at, at.translate(0, 1)))));
}

exports.steps = async function steps(answers) {
  const every = [];
  for (const server of servers) every.push(await started(server));
  answers.found = [];
  for (const { language, text, places } of texts) {
    const editor = await written(language, text);
    const uri = editor.document.uri;
    const here = every.filter(({ languages }) => languages.includes(language));
    const silent = () => here.filter(({ told }) => told.uri !== String(uri)).map(({ name }) => name);
    await until(() => `findings of ${silent()}`, () => silent().length === 0);
    await still(2 * QUIET);
    const [option, word] = places.map(({ line, column }) => new vscode.Position(line, column));
    const times = Object.fromEntries(here.map(({ name }) => [name, { squiggle: [], option: [], word: [] }]));
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now();
      for (const { told } of here) told.at = 0;
      await typed(editor, option, round % 2 === 0 ? "x" : "");
      await until("findings after a key", () => here.every(({ told }) => told.at > 0));
      for (const { name, told } of here) times[name].squiggle.push(told.at - begin);
      await still(QUIET);
    }
    for (const [what, at] of Object.entries({ option, word })) {
      for (let round = 0; round < rounds; round++) {
        await typed(editor, at, LETTERS[round % LETTERS.length]);
        const position = at.translate(0, 1);
        const begin = performance.now();
        await Promise.all(
          here.filter(({ lists }) => lists).map(async ({ name, client }) => {
            await client.sendRequest("textDocument/completion", { textDocument: { uri: String(uri) }, position });
            times[name][what].push(performance.now() - begin);
          }),
        );
        await typed(editor, at, "");
        await still(QUIET);
      }
    }
    answers.found.push({ language, lines: editor.document.lineCount, times });
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
  await Promise.all(every.map(({ client }) => client.dispose()));
};
