// Takes a trace out of the page: to look at it later, or to show it to somebody who may not see the code.

import { embedded, type Trace } from "./data";

export function Save({ trace }: { trace: Trace }) {
  const name = `${trace.path.replaceAll("/", "-")}-${trace.line}`;
  return (
    <span class="saves">
      {!embedded() && <button type="button" class="small" onClick={() => void savePage(name, trace)}>save as a page</button>}
      <button type="button" class="small" onClick={() => saveData(name, trace)}>save as JSON</button>
      <button type="button" class="small" onClick={() => saveData(`${name}-without-code`, withoutCode(trace))}>without code</button>
    </span>
  );
}

function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const saveData = (name: string, trace: Trace) => save(`${name}.json`, "application/json", JSON.stringify(trace, null, 1));

/** Where data stands in the page; written so that this is not found in its stead. */
const MARK = /<!--dat[a]-->/;

/** The page is its own template. */
async function savePage(name: string, trace: Trace): Promise<void> {
  const page = await (await fetch("/")).text();
  const data = JSON.stringify(trace).replaceAll("<", "\\u003c");
  save(`${name}.html`, "text/html", page.replace(MARK, () => `<script id="data" type="application/json">${data}</script>`));
}

/** What a reason says without the names and words of the code. */
const KINDS = /^(words|defines|imported|uses|same directory|sibling of this file|recently open|sent by the client)/;

const blank = <C extends Trace["pieces"][number] | Trace["dropped"][number]>(it: C): C =>
  ({ ...it, reasons: it.reasons.map((text) => KINDS.exec(text)?.[0] ?? "") });

/** The same trace with dots for what the code says. Paths, sizes, ranks and times stay. */
export function withoutCode(trace: Trace): Trace {
  return {
    ...trace,
    segments: trace.segments.map((it) => (it.source === "sentinel" || it.source === "header" ? it : { ...it, text: it.text.replace(/\S/gu, "·") })),
    query: {
      terms: trace.query.terms.map((it) => ({ ...it, term: "·" })),
      names: trace.query.names.map((it) => ({ ...it, name: "·" })),
    },
    pieces: trace.pieces.map((it) => ({ ...blank(it), symbol: "" })),
    dropped: trace.dropped.map(blank),
  };
}
