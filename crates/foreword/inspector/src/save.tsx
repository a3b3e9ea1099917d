// Saves a trace: as a page, as JSON, or as JSON without code for somebody who may not see the code.

import { type Candidate, type Trace, embedded } from "./data";
import { generalReasons } from "./reasons";

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

/** The mark in the page at which data is inserted; written as a class so that it does not match itself. */
const MARK = /<!--dat[a]-->/;

/** The served page is the template. */
async function savePage(name: string, trace: Trace): Promise<void> {
  const page = await (await fetch("/")).text();
  const data = JSON.stringify(trace).replaceAll("<", "\\u003c");
  save(`${name}.html`, "text/html", page.replace(MARK, () => `<script id="data" type="application/json">${data}</script>`));
}

/** A candidate whose reasons name nothing of the code. */
const blank = <C extends Candidate>(it: C): C => ({ ...it, reasons: generalReasons(it) });

/** The same trace with dots in place of code. Paths, sizes, ranks and times stay. */
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
