// Sends completion requests as editors do, so that the views have content.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Requests at a position in a file; each returns the id of the request at the server. */
export async function client(url, root, place, token = "") {
  const [file, line] = place.split(":");
  const lines = (await readFile(join(root, file), "utf8")).split("\n");
  const prefix = lines.slice(0, Number(line)).join("\n");
  const suffix = `\n${lines.slice(Number(line)).join("\n")}`;

  async function post(path, agent, body) {
    const headers = { "content-type": "application/json", "user-agent": agent };
    if (token) headers.authorization = `Bearer ${token}`;
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    await answer.text();
    return answer.headers.get("x-foreword-request");
  }

  const ring = { filename: "ring.py", text: "def ring(first):\n    second = first\n    return second\n" };
  return {
    /** As llama.vim: some lines around the cursor, and a chunk of its ring. */
    llama: () => post("/infill", "llama.vim", {
      input_prefix: prefix.split("\n").slice(-40).join("\n"),
      input_suffix: suffix.split("\n").slice(0, 20).join("\n"),
      input_extra: [ring],
      n_predict: 32,
    }),
    /** As Tabby's agent: with the file's name. */
    tabby: () => post("/v1/completions", "tabby-agent/1.5.0", { segments: { prefix, suffix, filepath: file } }),
    /** Reports what the user did with a completion, as Tabby's agent does. */
    event: (id, type) => post("/v1/events", "tabby-agent/1.5.0", { type, completion_id: `cmpl-${id}`, choice_index: 0 }),
  };
}
