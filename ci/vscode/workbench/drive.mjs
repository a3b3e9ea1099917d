// Uses the extension in the real workbench of VS Code, by mouse and keyboard. Called by ci/vscode/workbench/run:
//
//     node drive.mjs CHROMIUM URL FOLDER PROGRAM OUT
//
// URL is a running server of VS Code with the extension installed, FOLDER a repository with the store.py of that script,
// PROGRAM the binary of foreword, OUT the directory for screenshots. Fails at the first step that is wrong, and says which.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, url, folder, program, out] = process.argv.slice(2);
// A server that compiles the workbench's scripts on a busy machine is slow; a hand that waits is not.
const PATIENCE = 60_000;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
context.setDefaultTimeout(PATIENCE);
const page = await context.newPage();

let taken = 0;
async function step(name, act) {
  taken += 1;
  const shot = join(out, `${String(taken).padStart(2, "0")}-${name.replaceAll(/\W+/g, "-")}.png`);
  try {
    await act();
    console.log(`ok: ${name}`);
  } catch (error) {
    console.log(`FAILED: ${name} (${shot})\n${error.stack}`);
    process.exitCode = 1;
  }
  await page.screenshot({ path: shot });
  if (process.exitCode) {
    await browser.close();
    process.exit();
  }
}

const item = page.locator(".statusbar-item").filter({ hasText: "foreword" });
// Of the file: the workbench has other inputs that are editors, too.
const lines = page.locator(".editor-instance .view-lines").first();
const ghost = page.locator(".ghost-text-decoration, .ghost-text");
const input = page.locator(".quick-input-widget input").first();

/** A line of the list below a quick input. */
const row = (text) => page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();

/** Waits until `is` gives true. */
async function until(is, what) {
  const end = Date.now() + PATIENCE;
  while (!(await is())) {
    assert.ok(Date.now() < end, what);
    await page.waitForTimeout(100);
  }
}

/** Runs a command by its title, as a user does. */
async function run(title) {
  await page.keyboard.press("F1");
  await input.fill(`>${title}`);
  await row(title).click();
}

/** Opens a file of the explorer, and puts the cursor at its end. */
async function open(file) {
  await page.locator(".explorer-folders-view").getByText(file).dblclick();
  await page.locator(".tab.active").filter({ hasText: file }).waitFor();
  await lines.click();
  await page.keyboard.press("Control+End");
}

/** Deletes as many characters before the cursor. */
async function erase(characters) {
  for (let n = 0; n < characters; n += 1) {
    await page.keyboard.press("Backspace");
  }
}

/** Saves the file, and waits until the disk has it. */
async function saved(file, text) {
  await page.keyboard.press("Control+S");
  await until(async () => text.test(await readFile(join(folder, file), "utf8")), `${file} has no ${text}`);
}

/** The state of the status item, by its icon. */
const icon = (name) => item.locator(`.codicon-${name}`);

await step("the workbench opens the folder", async () => {
  await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`);
  await page.getByText("store.py").first().waitFor();
});

await step("nothing runs in a folder that is not trusted", async () => {
  await page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" }).waitFor();
  assert.equal(await item.count(), 0);
});

await step("a program that is not there is said, with the way to the setting", async () => {
  await page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" }).click();
  await page.getByRole("button", { name: "Trust", exact: true }).first().click();
  await icon("error").waitFor();
  await page.getByText("name it by the setting foreword.command").first().waitFor();
  assert.equal(await page.locator(".notification-toast").count(), 1);
});

await step("the server starts when the setting names the program", async () => {
  await page.getByRole("button", { name: "Name the program" }).click();
  // This workbench's programs run beside its server: their settings are under another tab than the user's.
  await page.locator(".settings-tabs-widget").getByText("Remote").click();
  const setting = page.locator(".setting-item-contents").filter({ hasText: "The program: a name on the path" });
  await setting.locator("input").fill(program);
  await setting.locator("input").press("Tab");
  await icon("sparkle").waitFor();
});

await step("the settings say what can be set", async () => {
  await page.keyboard.press("Escape");
  await item.click();
  await row("Settings").click();
  for (const text of ["Whether anything is suggested", "Most lines of a suggestion", "Milliseconds after which"]) {
    await page.getByText(text).first().waitFor();
  }
  // The machine of a test may be busy with others, and its repository is too small for confidence.
  for (const [text, value] of [["Milliseconds after which", "10000"], ["less likely right than this", "0.2"]]) {
    const setting = page.locator(".setting-item-contents").filter({ hasText: text });
    await setting.locator("input").fill(value);
    await setting.locator("input").press("Tab");
    await page.locator(".setting-item-contents.is-configured").filter({ hasText: text }).waitFor();
  }
  await page.keyboard.press("Escape");
});

await step("ghost text continues a line as the repository does", async () => {
  await open("store.py");
  await page.keyboard.type("    log", { delay: 60 });
  await until(async () => (await ghost.allInnerTexts()).join("").includes(".info"), "no ghost text");
});

await step("Tab accepts it", async () => {
  await page.keyboard.press("Tab");
  await saved("store.py", /def step_6\(job\):\n +check\(job\)\n +log\.info\("done", job\)/);
});

await step("the menu of the status item switches suggestions off", async () => {
  await item.click();
  await row("Show context here").waitFor();
  await row("Suggest nothing").click();
  await icon("circle-slash").waitFor();
  await lines.click();
  await page.keyboard.press("Control+End");
  await erase('.info("done", job)'.length + 1);
  await page.keyboard.type("g");
  await page.waitForTimeout(2000);
  assert.equal(await ghost.count(), 0);
});

await step("and on again", async () => {
  await item.click();
  await row("Suggest again").click();
  await icon("sparkle").waitFor();
  await lines.click();
  await page.keyboard.press("Control+End");
  await erase(1);
  await page.keyboard.type("g");
  await until(async () => (await ghost.allInnerTexts()).join("").includes(".info"), "no ghost text");
});

await step("the context at the cursor is shown", async () => {
  await page.keyboard.press("Escape");
  await run("foreword: show context here");
  await page.locator(".tab.active").filter({ hasText: "context-1.md" }).waitFor();
  await page.getByText("# foreword: context at store.py:28:8").first().waitFor();
});

/** Whether a decoration after a line of the file has this text: it is in no node of the page. */
const isBeside = (text) =>
  page.evaluate(
    (text) => [...document.querySelectorAll(".view-line span")].some((it) => getComputedStyle(it, "::after").content.includes(text)),
    text,
  );

await step("after a rename a hint names the next edit", async () => {
  await open("fees.py");
  await page.keyboard.press("Control+Home");
  for (let n = 0; n < 4; n += 1) {
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Control+Delete");
  await page.keyboard.type("overdue_fee");
  await until(() => isBeside("line 6"), "no hint");
});

await step("one key goes there and makes it, in one step of undo", async () => {
  // The menu that completes words has the keys until it is closed.
  if ((await page.locator(".suggest-widget.visible").count()) > 0) {
    await page.keyboard.press("Escape");
    await page.locator(".suggest-widget.visible").waitFor({ state: "hidden" });
  }
  await page.keyboard.press("Tab");
  await until(async () => (await isBeside("overdue_fee")) && !(await isBeside("line 6")), "the cursor is not there");
  await page.keyboard.press("Tab");
  await saved("fees.py", /def overdue_fee\(days\):[^]*return overdue_fee\(days\)/);
  await page.keyboard.press("Control+Z");
  await saved("fees.py", /def overdue_fee\(days\):[^]*return late_fee\(days\)/);
});

await step("a key hides it", async () => {
  await until(() => isBeside("overdue_fee"), "no hint after undo");
  await page.keyboard.press("Escape");
  await until(async () => !(await isBeside("overdue_fee")), "it is still there");
});

await browser.close();
