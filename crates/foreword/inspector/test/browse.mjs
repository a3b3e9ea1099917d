// Goes through the inspector in a real browser: every view opened, filtered and replayed, by mouse and by keyboard,
// light and dark, large and small. Called by `crates/foreword/tests/it/inspector.rs`:
//
//     node browse.mjs CHROMIUM URL LOCKED ASKING PLANNED ROOT PAGE FILE:LINE OUT
//
// URL is a running server with the embedded model, LOCKED another one whose token is `sesame` and that waits for
// no context, ASKING one with a scripted chat model, PLANNED one whose repository a scripted chat model has planned, ROOT the
// repository of the first two, PAGE what `foreword context --html` wrote, FILE:LINE a place in the repository, OUT the directory for screenshots. Fails when anything is wrong, and says what.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { questions } from "./ask.mjs";
import { client } from "./client.mjs";
import { cut, faint, overflow, sameColour, unnamed } from "./look.mjs";
import { plans } from "./plans.mjs";

const [executablePath, url, locked, asking, planned, root, file, place, out] = process.argv.slice(2);
await mkdir(out, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const origins = [url, locked, asking, planned].map((it) => new URL(it).origin);

/** A page that records errors. */
async function open(address, { width = 1440, height = 900, scheme = "light", offline = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (it) => ["error", "warning"].includes(it.type()) && wrong.push(`console: ${it.text()}`));
  page.on("pageerror", (it) => wrong.push(`error: ${it.message}`));
  page.on("request", (it) => {
    const asked = new URL(it.url());
    const fine = origins.includes(asked.origin) || ["file:", "data:"].includes(asked.protocol);
    if (!fine) wrong.push(`asked of another: ${it.url()}`);
  });
  page.on("response", (it) => it.status() >= 400 && wrong.push(`${it.status()}: ${it.url()}`));
  await context.setOffline(offline);
  await page.goto(address);
  return { page, wrong, close: () => context.close() };
}

async function step(name, act) {
  try {
    await act();
    console.log(`ok: ${name}`);
  } catch (error) {
    console.log(`FAILED: ${name}\n${error.stack}`);
    process.exitCode = 1;
  }
}

const tools = await client(url, root, place);
await tools.llama();
const id = await tools.tabby();

const heading = (page) => page.getByRole("heading", { level: 1 });
const tab = (page, name) => page.getByRole("tab", { name });

/** The views of a server, each with what must be visible before it is checked. */
const views = [
  ["requests", "requests", (page) => page.getByRole("row").nth(2)],
  ["request", `requests/${id}`, (page) => page.getByRole("list", { name: "Pieces, in the order of the prompt" })],
  ["answer", `requests/${id}/request`, (page) => page.getByRole("heading", { name: "Answer", exact: true })],
  ["place", "place", (page) => page.getByRole("navigation", { name: "Files" }).getByRole("link").first()],
  ["prompt", `place?${query(place)}`, (page) => page.getByRole("list", { name: "Pieces, in the order of the prompt" })],
  ["ranking", `place/ranking?${query(place)}`, (page) => page.locator(".bump svg")],
  ["words", `place/words?${query(place)}`, (page) => page.locator(".levels")],
  ["plan", `place/plan?${query(place)}`, (page) => page.getByText(/^No chat model has planned in this repository/)],
  ["next", `next?${query(place)}`, (page) => page.getByRole("list", { name: /next edit/ }).or(page.getByText(/No other place follows/))],
  ["plans", "index/plans", (page) => page.getByText(/^No chat model has planned here/)],
  ["index", "index", (page) => page.locator("table.list tbody tr").first()],
  ["left-out", "index/out", (page) => page.locator("table.list tbody tr").first()],
  ["map", "map", (page) => page.locator(".file-box").first()],
];

function query(place) {
  const [file, line] = place.split(":");
  return new URLSearchParams({ file, line }).toString();
}

for (const [width, height] of [[1440, 900], [390, 844]]) {
  for (const scheme of ["light", "dark"]) {
    for (const [name, hash, ready] of views) {
      await step(`${name} at ${width} pixels, ${scheme}`, async () => {
        const { page, wrong, close } = await open(`${url}/#/${hash}`, { width, height, scheme });
        await ready(page).waitFor();
        await page.screenshot({ path: join(out, `${name}-${width}-${scheme}.png`) });
        assert.deepEqual(await page.evaluate(overflow), [], "wider than the screen");
        assert.deepEqual(await page.evaluate(cut), [], "a column is cut");
        assert.deepEqual(await page.evaluate(sameColour), [], "stages of one colour");
        assert.deepEqual(await page.evaluate(unnamed), [], "without a name");
        assert.deepEqual(await page.evaluate(faint), [], "too faint to read");
        assert.deepEqual(wrong, []);
        await close();
      });
    }
  }
}

await step("requests appear as they come, are filtered, and tell what became of them", async () => {
  const { page, wrong, close } = await open(url);
  const rows = page.locator("table.list tbody tr");
  await page.getByText("live", { exact: true }).waitFor();
  const before = await rows.count();
  const id = await tools.tabby();
  await page.waitForFunction((n) => document.querySelectorAll("table.list tbody tr").length === n, before + 1);
  await rows.first().getByText("answered").waitFor();
  await tools.event(id, "select");
  await rows.first().getByText("accepted").waitFor();
  await page.getByRole("button", { name: /^tabby/ }).click();
  await page.getByRole("button", { name: /^accepted/ }).click();
  await page.waitForFunction(() => document.querySelectorAll("table.list tbody tr").length === 1);
  await page.keyboard.press("/");
  await page.keyboard.type("no such file");
  await page.getByText("No request is like that.").waitFor();
  await page.keyboard.press("Escape");
  await rows.first().getByRole("link").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: /Request and answer/ }).click();
  await page.getByText("tabby-agent").first().waitFor();
  await page.getByText(/% sure/).first().waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

await step("a request is replayed with its own text, and both answers are shown", async () => {
  const { page, wrong, close } = await open(`${url}/#/requests/${await tools.llama()}/replay`);
  const ring = page.locator(".block.of-client");
  await page.getByLabel("Budget").fill("1500");
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByText("Replayed").first().waitFor();
  assert.equal(await page.locator(".one-side").nth(1).locator(ring).count(), 1, "the client's snippet is replayed, too");
  assert.equal(await page.locator(".raw.answer").count(), 2);
  await page.screenshot({ path: join(out, "replay-request-1440-light.png") });
  assert.deepEqual(wrong, []);
  await close();
});

await step("a place is opened, its pieces looked at and filtered, by keyboard alone", async () => {
  const { page, wrong, close } = await open(url);
  await heading(page).waitFor();
  await page.keyboard.press("3");
  await page.getByLabel("File, line and column").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(place);
  await page.keyboard.press("Enter");
  const pieces = page.getByRole("list", { name: "Pieces, in the order of the prompt" }).getByRole("button");
  await pieces.first().waitFor();
  await pieces.first().focus();
  await page.keyboard.press("ArrowDown");
  assert.ok(await pieces.nth(1).evaluate((it) => it === document.activeElement), "the second piece has the focus");
  await page.keyboard.press("Enter");
  await page.locator('.piece:nth-child(2) [aria-expanded="true"]').waitFor();
  assert.equal(await page.locator(".prompt .block.hot").getAttribute("data-piece"), "1");
  await page.keyboard.press("]");
  await page.getByRole("tab", { name: /Ranking/, selected: true }).waitFor();
  const rows = page.locator("tr.fate");
  const all = await rows.count();
  await page.getByLabel("Filter by path").fill("no such file");
  await page.getByText("Nothing of that kind.").waitFor();
  await page.getByLabel("Filter by path").press("Escape");
  await page.waitForFunction((all) => document.querySelectorAll("tr.fate").length === all, all);
  await page.getByRole("button", { name: /in the prompt/ }).focus();
  await page.keyboard.press("Enter");
  const chosen = await page.locator(".way-line:not(.dropped)").count();
  await page.waitForFunction((chosen) => document.querySelectorAll("tr.fate").length === chosen, chosen);
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.locator("tr.fate:nth-child(2) + tr.detail").waitFor();
  await page.keyboard.press("]");
  await page.locator(".levels").waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

await step("arrow keys and j work from the start", async () => {
  for (const key of ["j", "ArrowDown"]) {
    const { page, wrong, close } = await open(url);
    await page.locator("table.list tbody tr").nth(1).waitFor();
    await page.keyboard.press(key);
    await page.keyboard.press(key);
    const second = page.locator("table.list tbody tr").nth(1).getByRole("link");
    assert.ok(await second.evaluate((it) => it === document.activeElement), `${key}: the second request has the focus`);
    assert.deepEqual(wrong, []);
    await close();
  }
});

await step("a place is chosen from what is proposed", async () => {
  const { page, wrong, close } = await open(`${url}/#/place`);
  const [path] = place.split(":");
  const field = page.getByLabel("File, line and column");
  await field.and(page.locator(":focus")).waitFor();
  await page.keyboard.type(path.split("/").pop());
  const proposed = page.getByRole("navigation", { name: "Files" }).getByRole("link");
  await proposed.filter({ hasText: path.split("/").pop() }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".prompt").waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

await step("a request is read field by field, with its line breaks", async () => {
  const { page, wrong, close } = await open(`${url}/#/requests/${await tools.llama()}/request`);
  const field = page.locator(".fields > div").filter({ has: page.getByRole("heading", { name: "input_prefix", exact: true }) });
  const text = await field.locator("pre").innerText();
  assert.ok(text.includes("\n") && !text.includes("\\n"), text);
  await page.screenshot({ path: join(out, "request-fields-1440-light.png"), fullPage: true });
  assert.deepEqual(wrong, []);
  await close();
});

await step("the prompt on the screen is the prompt, byte for byte", async () => {
  const { page, close } = await open(`${url}/#/place?${query(place)}`);
  await page.locator(".prompt").waitFor();
  const shown = await page.locator(".prompt pre").evaluateAll((all) => all.map((it) => it.textContent).join(""));
  const trace = await page.evaluate((query) => fetch(`/api/context?${query}`).then((it) => it.json()), query(place));
  assert.equal(shown, trace.segments.map((it) => it.text).join(""));
  await close();
});

await step("a trace is saved as a page that works by itself, and without code", async () => {
  const { page, wrong, close } = await open(`${url}/#/place?${query(place)}`);
  const save = async (name, path) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    await download.saveAs(path);
    return readFile(path, "utf8");
  };
  const saved = join(out, "saved.html");
  await save("save as a page", saved);
  const trace = JSON.parse(await save("save as JSON", join(out, "saved.json")));
  const bare = JSON.parse(await save("without code", join(out, "saved-without-code.json")));
  const code = bare.segments.filter((it) => ["piece", "prefix", "suffix"].includes(it.source));
  assert.ok(code.length > 2 && code.every((it) => /^[\s·]*$/.test(it.text)), "code is left");
  assert.ok([...bare.query.terms.map((it) => it.term), ...bare.query.names.map((it) => it.name)].every((it) => it === "·"));
  const reasons = [...bare.pieces, ...bare.dropped].flatMap((it) => it.reasons);
  assert.ok(trace.query.names.every((it) => it.name.length < 9 || !reasons.some((text) => text.includes(it.name))));
  assert.deepEqual(bare.budget, trace.budget);
  const alone = await open(pathToFileURL(saved).href, { offline: true });
  await alone.page.locator(".prompt").waitFor();
  assert.deepEqual([...wrong, ...alone.wrong], []);
  await alone.close();
  await close();
});

await step("a place is replayed with other settings, side by side", async () => {
  const { page, wrong, close } = await open(`${url}/#/place/replay?${query(place)}`);
  await page.getByLabel("Budget").fill("1024");
  await page.getByLabel("Weight of symbol").focus();
  await page.keyboard.press("Home");
  await page.getByLabel("Budget").press("Enter");
  await page.getByText("Replayed").first().waitFor();
  const sides = page.locator(".one-side");
  assert.equal(await sides.count(), 2);
  assert.match(await sides.nth(1).locator(".meter-title").innerText(), /of 1,024 tokens/);
  await page.screenshot({ path: join(out, "replay-1440-light.png") });
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await page.evaluate(overflow), []);
  await page.screenshot({ path: join(out, "replay-390-light.png"), fullPage: true });
  await page.getByLabel("Budget").fill("5");
  await page.getByLabel("Budget").press("Enter");
  await page.getByRole("alert").waitFor();
  // The error responses are expected here.
  assert.deepEqual(wrong.filter((it) => !/\b400\b/.test(it)), []);
  await close();
});

await step("the index is filtered by language, path and rule", async () => {
  const { page, wrong, close } = await open(`${url}/#/index`);
  const rows = page.locator("table.list tbody tr");
  await rows.first().waitFor();
  await page.getByRole("group", { name: "Filter by language" }).getByRole("button").first().click();
  await page.waitForFunction(() => new Set([...document.querySelectorAll("table.list tbody td:nth-child(2)")].map((it) => it.textContent)).size === 1);
  await tab(page, /Left out/).click();
  await rows.first().waitFor();
  const rule = page.getByRole("group", { name: "Filter by reason" }).getByRole("button").first();
  const code = (await rule.innerText()).split(" ")[0];
  await rule.click();
  await page.waitForFunction((code) => [...document.querySelectorAll("table.list tbody td:nth-child(2)")].every((it) => it.textContent === code), code);
  await page.getByLabel("Filter by path or rule").fill("no such path");
  await page.getByText("Nothing is like that.").waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

await step("the map is walked by keyboard and leads to a place", async () => {
  const { page, wrong, close } = await open(`${url}/#/map`);
  await page.locator(".file-box").first().focus();
  await page.keyboard.press("ArrowDown");
  const second = page.locator(".file-box").nth(1);
  await page.locator('.file-box[aria-pressed="true"]').and(second).waitFor();
  const path = (await second.getAttribute("aria-label")).split(",")[0];
  assert.equal(await page.locator(".chosen-file h2").innerText(), path);
  await page.locator(".definitions a").first().click();
  await page.getByRole("list", { name: "Pieces, in the order of the prompt" }).or(page.getByText("no pieces")).first().waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

await step("light and dark can be chosen, help opens and closes, single keys can be switched off", async () => {
  const { page, wrong, close } = await open(url);
  await heading(page).waitFor();
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper();
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  await page.locator('html[data-theme="dark"]').waitFor();
  assert.notEqual(await paper(), before);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.screenshot({ path: join(out, "help-1440-dark.png") });
  await page.getByLabel("Single keys do this").click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("6");
  assert.equal(new URL(page.url()).hash, "");
  assert.deepEqual(wrong, []);
  await close();
});

await step("a server with a token gives its data to who shows the token", async () => {
  const { page, wrong, close } = await open(locked);
  await page.getByLabel("Token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByLabel("Token").fill("sesame");
  await page.keyboard.press("Enter");
  await page.getByText("live", { exact: true }).waitFor();
  await page.screenshot({ path: join(out, "token-1440-light.png") });
  // No request came yet.
  assert.match(await page.getByLabel("A request for curl").innerText(), /^curl http:.*authorization: Bearer/s);
  // The error responses are expected here.
  assert.deepEqual(wrong.filter((it) => !/\b401\b/.test(it)), []);
  await page.goto(`${locked}/?token=sesame`);
  await page.getByText("live", { exact: true }).waitFor();
  assert.equal(new URL(page.url()).search, "");
  await close();
});

await step("a request that went on without context shows what it would have been", async () => {
  const id = await (await client(locked, root, place, "sesame")).llama();
  const { page, wrong, close } = await open(`${locked}/?token=sesame#/requests/${id}`);
  await page.getByText("context late", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "The prompt that was sent" }).waitFor();
  await page.screenshot({ path: join(out, "late-1440-light.png"), fullPage: true });
  await page.getByRole("button", { name: "Compose it now" }).click();
  await page.locator(".prompt").waitFor();
  await page.locator(".block.of-client").waitFor();
  assert.deepEqual(wrong, []);
  await close();
});

await step("a page from a file needs no server and no network", async () => {
  const { page, wrong, close } = await open(pathToFileURL(file).href, { offline: true });
  await page.locator(".prompt").waitFor();
  const data = JSON.parse(await page.locator("#data").textContent());
  const shown = await page.locator(".prompt pre").evaluateAll((all) => all.map((it) => it.textContent).join(""));
  assert.equal(shown, data.segments.map((it) => it.text).join(""));
  await tab(page, /Ranking/).click();
  await page.locator(".bump svg").waitFor();
  assert.equal(await page.getByRole("link", { name: /Requests/ }).count(), 0);
  await page.screenshot({ path: join(out, "file-1440-light.png") });
  assert.deepEqual(wrong, []);
  await close();
});

await questions({ open, step, url, asking, out });
await plans({ open, step, planned, out });

await browser.close();
