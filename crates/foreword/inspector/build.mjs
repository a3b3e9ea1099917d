// Bundles src/ into one page, built/page.html: the same bytes from the same sources and package-lock.json.
//
// The page is whole by itself: its script and style are in it, allowed by their hashes and nothing else
// (Content-Security-Policy). `foreword serve` serves it as it is; `foreword context --html` puts a trace where the
// mark is.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const bundled = await build({
  entryPoints: ["src/main.tsx", "src/style.css"],
  bundle: true,
  minify: true,
  write: false,
  outdir: "built",
  target: ["es2022", "chrome123", "firefox120", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
});
const text = (end) => bundled.outputFiles.find((it) => it.path.endsWith(end)).text.trim();
// What ends a script element must not be in it.
const script = text(".js").replaceAll("</script", "<\\/script");
const style = text(".css");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const page = (await readFile("src/page.html", "utf8"))
  .replace("{{policy}}", () => policy)
  .replace("{{style}}", () => style)
  .replace("{{script}}", () => script);
await mkdir("built", { recursive: true });
await writeFile("built/page.html", page);
console.log(`built/page.html: ${(page.length / 1024).toFixed(1)} KiB`);
