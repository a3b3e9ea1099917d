// Continue's own adapters as clients of `foreword serve`: continue.mjs PACKAGES URL REQUEST.

import { createRequire } from "node:module";

const [packages, url, text] = process.argv.slice(2);
const { constructLlmApi } = createRequire(`${packages}/`)("@continuedev/openai-adapters");
const { prompt, suffix, expected } = JSON.parse(text);

function check(what, got) {
  if (got !== expected) throw new Error(`${what}: ${JSON.stringify(got)}`);
}

const signal = new AbortController().signal;
for (const [provider, apiBase] of [["mistral", `${url}/v1/`], ["deepseek", `${url}/`]]) {
  const api = constructLlmApi({ provider, apiBase, apiKey: "none" });
  const asked = { model: "m", prompt, suffix, max_tokens: 32, stream: true };
  let got = "";
  for await (const it of api.fimStream(asked, signal)) got += it.choices[0]?.delta?.content ?? "";
  check(provider, got);
}
const api = constructLlmApi({ provider: "openai", apiBase: `${url}/v1/`, apiKey: "none" });
const rendered = `<|fim_prefix|>${prompt}<|fim_suffix|>${suffix}<|fim_middle|>`;
const asked = { model: "m", prompt: rendered, max_tokens: 32 };
check("openai", (await api.completionNonStream({ ...asked, stream: false }, signal)).choices[0].text);
let got = "";
for await (const it of api.completionStream({ ...asked, stream: true }, signal)) got += it.choices[0]?.text ?? "";
check("openai stream", got);
console.log("done");
