// Looks at the plans of a chat model in a real browser. `browse.mjs` calls it with a server whose repository a scripted model
// has planned, and in which a cited file was edited afterwards.

import assert from "node:assert/strict";
import { join } from "node:path";
import { cut, faint, overflow, unnamed } from "./look.mjs";

const plan = (page, name) => page.getByRole("region", { name: `Plan by ${name}` });

async function looksRight(page, name, out) {
  await page.screenshot({ path: join(out, `${name}.png`), fullPage: true });
  assert.deepEqual(await page.evaluate(overflow), [], "wider than the screen");
  assert.deepEqual(await page.evaluate(cut), [], "a column is cut");
  assert.deepEqual(await page.evaluate(unnamed), [], "without a name");
  assert.deepEqual(await page.evaluate(faint), [], "too faint to read");
}

export async function plans({ open, step, planned, out }) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    for (const scheme of ["light", "dark"]) {
      await step(`the plans of a chat model at ${width} pixels, ${scheme}`, async () => {
        const { page, wrong, close } = await open(`${planned}/#/place/plan?file=shop%2Fcart.py&line=4`, { width, height, scheme });
        const model = plan(page, "scripted");
        await model.waitFor();
        for (const text of [/made from an earlier state/, /^made \d+ (s|min) ago$/, /^last run: planned, 3 requests, 1 call of tools, .* usd$/, /^1 block: bad lines$/, /^1 forecast: unknown name$/, /^said by the model: opens the store$/, /these lines have not/, /^dropped: its lines have changed since$/]) {
          await model.getByText(text).first().waitFor();
        }
        await model.locator(".planned.forecast").getByText("drop_cart", { exact: true }).waitFor();
        assert.match(await model.locator(".plan-changed").innerText(), /shop\/store.py/);
        await looksRight(page, `plan-agents-${width}-${scheme}`, out);
        await page.goto(`${planned}/#/index/plans`);
        await page.getByRole("region", { name: "scripted" }).getByText(/^6 requests, .* usd, of all runs$/).waitFor();
        await page.getByRole("region", { name: "scripted" }).getByText(/beside an index of/).waitFor();
        await looksRight(page, `plans-agents-${width}-${scheme}`, out);
        assert.deepEqual(wrong, []);
        await close();
      });
    }
  }

  await step("a file that is next to be planned by the model is opened from the list, by keyboard", async () => {
    const { page, wrong, close } = await open(`${planned}/#/index/plans`);
    const model = page.getByRole("region", { name: "scripted" });
    await model.getByText(/Next to be planned/).focus();
    await page.keyboard.press("Enter");
    await model.getByRole("link").first().focus();
    await page.keyboard.press("Enter");
    await plan(page, "scripted").waitFor();
    assert.deepEqual(wrong, []);
    await close();
  });
}
