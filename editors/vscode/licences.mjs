// Writes what the package must carry: the extension's own licences (LICENSE.txt), and those of the packages that were bundled
// (THIRD-PARTY.txt). A bundled package without one is an error.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const own = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => readFileSync(existsSync(name) ? name : `../../${name}`, "utf8"));
writeFileSync("LICENSE.txt", `Either of these two licences, as you choose.\n\n${own.join("\n\n---\n\n")}`);

const inputs = Object.keys(JSON.parse(readFileSync("dist/meta.json", "utf8")).inputs);
const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const folders = new Set(inputs.map((it) => folder.exec(it)?.[0]).filter(Boolean));
const texts = [...folders].sort().map((it) => {
  const { name, version, license } = JSON.parse(readFileSync(`${it}/package.json`, "utf8"));
  const file = readdirSync(it).find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (!file) {
    throw new Error(`${name} has no licence`);
  }
  return `${name} ${version} (${license})\n\n${readFileSync(`${it}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("THIRD-PARTY.txt", texts.join("\n---\n\n"));
