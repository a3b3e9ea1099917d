// A hostile repository and a hostile model on the page: what they say is text, runs nothing and asks nobody.
//
//     node hostile.mjs CHROMIUM ASKING ALONE OUT
//
// ASKING is a server with a scripted hostile model, ALONE one without a model; both have the repository of
// `crates/foreword/tests/it/hostile.rs`, whose tricks set `window.hacked`.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, asking, alone, out] = process.argv.slice(2);
await mkdir(out, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

async function open(address) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 1200 } })).newPage();
  const wrong = [];
  page.on("console", (it) => ["error", "warning"].includes(it.type()) && wrong.push(it.text()));
  page.on("pageerror", (it) => wrong.push(it.message));
  page.on("dialog", (it) => (wrong.push(`dialog: ${it.message()}`), it.dismiss()));
  page.on("request", (it) => new URL(it.url()).origin === new URL(address).origin || it.url().startsWith("data:") || wrong.push(`asked: ${it.url()}`));
  await page.goto(address);
  return { page, wrong };
}

/** Nothing of the repository has become a part of the page. */
async function isText(page, wrong) {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, iframe, object, embed, form[action]").count(), 0);
  assert.equal(await page.locator("body script").count(), 1, "only the page's own script");
  const links = await page.locator("a[href]").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  const odd = links.filter((it) => !/^#/.test(it) && !/^vscode:\/\/file\/[\w./%:~-]+:\d+$/.test(it));
  assert.deepEqual(odd, []);
  assert.ok(!(await page.locator("body").innerText()).includes("hunter"));
  assert.deepEqual(wrong, []);
}

async function ask(page, question) {
  await page.getByLabel("Question").fill(question);
  await page.keyboard.press("Enter");
}

async function openAll(page) {
  const pieces = page.locator("[data-source]");
  for (let at = 0; at < await pieces.count(); at++) await pieces.nth(at).click();
  await page.waitForFunction((n) => document.querySelectorAll(".code").length === n, await pieces.count());
}

const model = await open(`${asking}/#/ask`);
await ask(model.page, "how are sessions expired?");
await model.page.getByText(/answered by scripted/).waitFor();
await openAll(model.page);
await model.page.screenshot({ path: join(out, "hostile-model.png"), fullPage: true });
const answer = await model.page.locator(".answer-text").innerText();
for (const text of ["HACKED", "![x](http://evil.example/x.png)", "<img src=x onerror=window.hacked=1>", "[click](javascript:window.hacked=1)", "there is no evidence [99]"]) {
  assert.ok(answer.includes(text), `${text} in ${answer}`);
}
await isText(model.page, model.wrong);
console.log("ok: an answer of a hostile model");

const reading = await open(`${alone}/#/ask`);
await ask(reading.page, "how are sessions expired?");
await reading.page.locator(".reading").waitFor();
await openAll(reading.page);
assert.ok((await reading.page.locator(".code").first().innerText()).includes("</script><script>window.hacked = 1</script>"));
await reading.page.screenshot({ path: join(out, "hostile-reading.png"), fullPage: true });
await isText(reading.page, reading.wrong);
console.log("ok: what to read in a hostile repository");

for (const view of ["index", "map", "next?file=src/session.py&line=2", "place?file=src/session.py&line=2", "place/plan?file=src/session.py&line=2"]) {
  const { page, wrong } = await open(`${alone}/#/${view}`);
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector("main").innerText.length > 200);
  await isText(page, wrong);
  console.log(`ok: ${view}`);
}

await browser.close();
