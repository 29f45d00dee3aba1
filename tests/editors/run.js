// What VS Code runs in its extension host: the steps of the session in the file $SESSION. What they answer is written to $ANSWERS as JSON,
// and so is what ends them: a module that isn't there, too. Without that file the window would stay open.

const { renameSync, writeFileSync } = require("node:fs");

exports.run = async function run() {
  const answers = {};
  try {
    await require(process.env.SESSION).steps(answers);
  } catch (error) {
    answers.error = String(error?.stack ?? error);
  }
  writeFileSync(`${process.env.ANSWERS}.part`, JSON.stringify(answers));
  renameSync(`${process.env.ANSWERS}.part`, process.env.ANSWERS);
};
