// Opens the workbench in Chromium once $READY is there, since the extension host only runs while a window is open; ends
// when $ANSWERS is there. It is ended from outside when that takes too long.

const { existsSync, readFileSync, unlinkSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { chromium } = createRequire(`${process.env.NPU_LSP_VSCODE}/package.json`)("playwright-core");

const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

const [WIDTH, HEIGHT] = (process.env.WINDOW ?? "1280x800").split("x").map(Number);

/** Takes a picture of the window, from which on it is drawn, with the pages in it. */
async function taken(page, path) {
  for (const frame of page.frames()) {
    // One that is replaced meanwhile isn't there to be drawn.
    await frame.evaluate(() => document.documentElement.style.setProperty("opacity", "1", "important")).catch(() => {});
  }
  await page.screenshot({ path });
}

/** Follows a link of a page that is shown in a frame, which comes after the window. */
async function followed(page, link) {
  for (;;) {
    for (const frame of page.frames()) {
      const found = frame.locator("a", { hasText: link }).first();
      if (await found.count().catch(() => 0)) return found.click();
    }
    await page.waitForTimeout(100);
  }
}

/** Does with the mouse what a session asks for by a file: a button to press or a link of a page to follow, by their names, or a place to click or a picture to take, once something is seen. */
async function obey(page) {
  const asked = `${process.env.ANSWERS}.do`;
  if (!existsSync(asked)) return;
  const { press, seen, drag, click, picture, link, within } = JSON.parse(readFileSync(asked, "utf8"));
  // A message goes with its button: it is noted before that.
  if (press) await page.getByRole("button", { name: press, exact: true }).first().waitFor();
  if (press) await page.waitForTimeout(500);
  if (press) await page.locator(within ?? "body").getByRole("button", { name: press, exact: true }).first().click();
  if (seen) await page.locator(seen).first().waitFor();
  if (drag) {
    await page.mouse.move(drag[0], HEIGHT / 2);
    await page.mouse.down();
    await page.mouse.move(drag[1], HEIGHT / 2, { steps: 20 });
    await page.waitForTimeout(300);
    await page.mouse.up();
  }
  if (click) await page.locator(click).first().click();
  if (picture) await taken(page, picture);
  if (link) await followed(page, link);
  unlinkSync(asked);
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ARGUMENTS, timeout: Number(process.env.PATIENCE) });
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: Number(process.env.SCALE ?? 1) });
  page.setDefaultTimeout(Number(process.env.PATIENCE));
  // A message goes by itself after a while: the window itself looks for them, whatever it is asked for meanwhile. Of equal ones as
  // many count as were there at the same time.
  const told = new Map();
  await page.exposeFunction("shown", (texts) => {
    for (const text of texts) told.set(text, Math.max(told.get(text) ?? 0, texts.filter((each) => each === text).length));
  });
  await page.addInitScript(() => {
    // What turns while something is on its way is drawn anew without end, by the processor that the rest needs; and what nobody takes
    // a picture of needn't be drawn at all.
    document.addEventListener("DOMContentLoaded", () => {
      const still = document.createElement("style");
      still.textContent = "*, ::before, ::after { animation: none !important; } html { opacity: 0; }";
      document.head.append(still);
    });
    setInterval(() => {
      const texts = Array.from(document.querySelectorAll(".notification-list-item-message"), (message) => message.innerText);
      if (texts.length) window.shown(texts);
    }, 100);
  });
  while (!existsSync(process.env.READY)) await page.waitForTimeout(50);
  await page.goto(process.argv[2]);
  while (!existsSync(process.env.ANSWERS)) {
    await page.waitForTimeout(100);
    await obey(page);
  }
  await page.waitForTimeout(500);
  writeFileSync(process.env.TOASTS, JSON.stringify(Array.from(told).flatMap(([text, count]) => Array(count).fill(text))));
  if (process.env.SCREENSHOT) await taken(page, process.env.SCREENSHOT);
  await browser.close();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
