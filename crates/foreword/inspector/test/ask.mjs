// Goes through the page's questions in a real browser. `browse.mjs` calls it, with a server without a chat model and one
// with a scripted one, which reads a file, cites it and lies once.

import assert from "node:assert/strict";
import { join } from "node:path";
import { cut, faint, overflow, unnamed } from "./look.mjs";

/** A word that is not in the repository, in which this file is. */
const absent = ["hippo", "pota", "muses"].join("");

const question = (page) => page.getByLabel("Question");
const citations = (page) => page.locator(".answer-text .cite");

async function looksRight(page, name, out) {
  await page.screenshot({ path: join(out, `${name}.png`) });
  assert.deepEqual(await page.evaluate(overflow), [], "wider than the screen");
  assert.deepEqual(await page.evaluate(cut), [], "a column is cut");
  assert.deepEqual(await page.evaluate(unnamed), [], "without a name");
  assert.deepEqual(await page.evaluate(faint), [], "too faint to read");
}

export async function questions({ open, step, url, asking, out }) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    for (const scheme of ["light", "dark"]) {
      const size = `${width}-${scheme}`;
      await step(`a question at ${width} pixels, ${scheme}`, async () => {
        const { page, wrong, close } = await open(`${url}/#/ask`, { width, height, scheme });
        await question(page).and(page.locator(":focus")).waitFor();
        await looksRight(page, `ask-empty-${size}`, out);
        await page.keyboard.type("how is a trace made?");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Start here" }).waitFor();
        await looksRight(page, `ask-reading-${size}`, out);
        await page.locator(".reading .cite").first().click();
        await page.locator(".code .line.marked").first().waitFor();
        await looksRight(page, `ask-source-${size}`, out);
        await page.getByRole("button", { name: "New conversation" }).click();
        await question(page).fill(`how are ${absent} fed?`);
        await page.keyboard.press("Enter");
        await page.locator(".missing").waitFor();
        await looksRight(page, `ask-missing-${size}`, out);
        assert.deepEqual(wrong, []);
        await close();
      });
      await step(`an answer of a model at ${width} pixels, ${scheme}`, async () => {
        const { page, wrong, close } = await open(`${asking}/#/ask`, { width, height, scheme });
        await question(page).fill("what does take do?");
        await page.keyboard.press("Enter");
        await page.getByText(/answered by scripted/).waitFor();
        await looksRight(page, `ask-answer-${size}`, out);
        assert.deepEqual(wrong, []);
        await close();
      });
    }
  }

  await step("a citation opens the lines that it cites, and Escape leads back", async () => {
    const { page, wrong, close } = await open(`${asking}/#/ask`);
    await question(page).fill("what does take do?");
    await page.keyboard.press("Enter");
    await page.getByText(/answered by scripted/).waitFor();
    assert.match(await page.locator(".calls").innerText(), /read .*cart\.py.*\n.*burn.*no such tool/s);
    assert.match(await page.locator(".doubt").innerText(), /not verified: there is no file shop\/gone\.py/);
    const cite = citations(page).first();
    assert.match(await cite.getAttribute("aria-label"), /^Source 1: shop\/stock\.py:/);
    await cite.focus();
    await page.keyboard.press("Enter");
    await page.locator(".code .line.marked").first().waitFor();
    assert.match(await page.locator(".code .line.marked .runs").first().innerText(), /def take\(stock/);
    assert.equal(await page.locator(".code .is-keyword").first().innerText(), "def");
    const source = page.locator("[data-source='1']");
    assert.ok(await source.evaluate((it) => it === document.activeElement), "the source has the focus");
    await page.keyboard.press("ArrowDown");
    assert.ok(await page.locator("[data-source='2']").evaluate((it) => it === document.activeElement), "the next source has the focus");
    await page.keyboard.press("Escape");
    assert.ok(await cite.evaluate((it) => it === document.activeElement), "the citation has the focus again");
    const link = page.locator(".excerpt a.editor").first();
    assert.match(await link.getAttribute("href"), /^vscode:\/\/file\/.*\/shop\/stock\.py:1$/);
    await page.getByLabel("Links open in").selectOption("file");
    assert.match(await link.getAttribute("href"), /^file:\/\/\/.*\/shop\/stock\.py#L1$/);
    await page.getByLabel("Links open in").selectOption("none");
    await link.waitFor({ state: "detached" });
    assert.deepEqual(wrong, []);
    await close();
  });

  await step("thumbs are kept for what an answer cites", async () => {
    const { page, wrong, close } = await open(`${asking}/#/ask`);
    await question(page).fill("what does take do?");
    await page.keyboard.press("Enter");
    await page.getByText(/answered by scripted/).waitFor();
    const sent = page.waitForResponse((it) => it.url().endsWith("/api/feedback"));
    await page.getByRole("button", { name: "It helped" }).click();
    assert.deepEqual(await (await sent).json(), { version: 1, kept: 1, total: 1 });
    await page.getByRole("button", { name: "It helped", pressed: true }).waitFor();
    const kept = await page.evaluate(() => fetch("/api/feedback").then((it) => it.json()));
    assert.deepEqual([kept.events[0].verdict, kept.events[0].path, kept.events[0].question], ["good", "shop/stock.py", "what does take do?"]);
    assert.deepEqual(wrong, []);
    await close();
  });

  await step("a conversation goes on, outlives the view and begins anew", async () => {
    const { page, wrong, close } = await open(`${asking}/#/ask`);
    await question(page).fill("what does take do?");
    await page.keyboard.press("Enter");
    await page.getByText(/answered by scripted/).waitFor();
    const sent = page.waitForRequest((it) => it.url().endsWith("/api/ask"));
    await question(page).fill("who calls it?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const body = (await sent).postDataJSON();
    assert.deepEqual(body.places[0].slice(0, 1), ["shop/stock.py"]);
    assert.match(body.earlier[0].answer, /takes items off \[1\]/);
    await page.getByText(/answered by scripted/).nth(1).waitFor();
    await page.getByRole("link", { name: /Map/ }).click();
    await page.locator(".file-box").first().waitFor();
    await page.getByRole("link", { name: /Ask/ }).click();
    await page.locator(".turn").nth(1).waitFor();
    assert.equal(await page.locator(".turn").count(), 2);
    await page.getByRole("button", { name: "what to read, without the model" }).first().click();
    await page.getByText(/no model was asked/).waitFor();
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.locator(".turn").first().waitFor({ state: "detached" });
    assert.deepEqual(wrong, []);
    await close();
  });

  await step("an answer that is being written can be stopped", async () => {
    const { page, wrong, close } = await open(`${asking}/#/ask`);
    await question(page).fill("what does take do? hang");
    await page.keyboard.press("Enter");
    await page.getByText("It takes items").waitFor();
    await page.screenshot({ path: join(out, "ask-writing-1440-light.png") });
    await page.keyboard.press("Escape");
    await page.getByText(/; stopped\./).waitFor();
    await page.getByText("It takes items").waitFor();
    await page.screenshot({ path: join(out, "ask-stopped-1440-light.png") });
    assert.deepEqual(wrong, []);
    await close();
  });

  await step("an address proposes a question and does not ask it", async () => {
    const { page, wrong, close } = await open(`${url}/#/ask?question=${encodeURIComponent("who calls it?")}`);
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "who calls it?");
    assert.equal(await page.locator(".turn").count(), 0);
    assert.deepEqual(wrong, []);
    await close();
  });
}
