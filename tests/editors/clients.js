// Starts the language servers that people have beside ours, each with a client of its own as its extension has.

const { join } = require("node:path");
const { createRequire } = require("node:module");
const { LanguageClient } = createRequire(join(__dirname, "../../editors/vscode/package.json"))("vscode-languageclient/node");

/** Returns the running client of a server. */
exports.started = async function started({ name, command, args, languages }, middleware) {
  const documentSelector = languages.map((language) => ({ language }));
  const client = new LanguageClient(name, { command, args }, { documentSelector, middleware });
  await client.start();
  return client;
};

/** Returns the clients of all neighbours, running, and the names of those that have listed or found something so far. */
exports.neighbours = async function neighbours() {
  const heard = new Set();
  const running = JSON.parse(process.env.NEIGHBOURS).map((server) =>
    exports.started(server, {
      provideCompletionItem: async (...asked) => {
        const found = await asked.at(-1)(...asked.slice(0, -1));
        if ((found?.items ?? found)?.length) heard.add(server.name);
        return found;
      },
      handleDiagnostics: (uri, found, next) => {
        if (found.length) heard.add(server.name);
        next(uri, found);
      },
      provideDiagnostics: async (document, previous, token, next) => {
        const found = await next(document, previous, token);
        if (found?.items?.length) heard.add(server.name);
        return found;
      },
    }),
  );
  return { running: await Promise.all(running), heard };
};
