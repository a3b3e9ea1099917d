// Bundles src/ into one page, built/page.html: the same bytes from the same sources and package-lock.json.
//
// The page is self-contained: script and style are inline, and its Content-Security-Policy allows their hashes only.
// `foreword serve` serves it unchanged; `foreword context --html` replaces the mark with a trace.

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
// The script must not contain the end tag of its element.
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
