// Opens the workbench in Chromium once $READY is there, since the extension host only runs while a window is open; ends
// when $ANSWERS is there.

const { existsSync, readFileSync, unlinkSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { chromium } = createRequire(`${process.env.NPU_LSP_VSCODE}/package.json`)("playwright-core");

const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

const [WIDTH, HEIGHT] = (process.env.WINDOW ?? "1280x800").split("x").map(Number);

/** Does with the mouse what a session asks for by a file: a button to press, by its name, or a picture to take, once something is seen. */
async function obey(page) {
  const asked = `${process.env.ANSWERS}.do`;
  if (!existsSync(asked)) return;
  const { press, seen, picture, within } = JSON.parse(readFileSync(asked, "utf8"));
  if (press) await page.locator(within ?? "body").getByRole("button", { name: press, exact: true }).first().click({ timeout: 20_000 });
  if (seen) await page.locator(seen).first().waitFor({ timeout: 20_000 });
  if (picture) await page.screenshot({ path: picture });
  unlinkSync(asked);
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ARGUMENTS });
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: Number(process.env.SCALE ?? 1) });
  for (let tries = 0; tries < 1200 && !existsSync(process.env.READY); tries++) await page.waitForTimeout(50);
  await page.goto(process.argv[2]);
  const toasts = () => page.locator(".notification-list-item-message").allInnerTexts();
  // A message goes by itself after a while: what a slow machine shows at the end isn't all that was told.
  const told = new Set();
  for (let tries = 0; tries < 1200 && !existsSync(process.env.ANSWERS); tries++) {
    await page.waitForTimeout(100);
    await obey(page);
    for (const text of await toasts()) told.add(text);
  }
  writeFileSync(process.env.TOASTS, JSON.stringify({ toasts: await toasts(), told: Array.from(told) }));
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
