// The query: the words around the cursor with their weights, the names, and the session in other files.

import type { Trace } from "./data";
import { score } from "./format";
import { Empty } from "./parts";

export function Words({ trace }: { trace: Trace }) {
  const { terms, names } = trace.query;
  const most = Math.max(0.001, ...terms.map((it) => it.worth ?? 0));
  const sorted = [...terms].sort((a, b) => (b.worth ?? -1) - (a.worth ?? -1));
  const known = sorted.filter((it) => it.worth !== null);
  const unknown = sorted.filter((it) => it.worth === null);
  return (
    <section class="words">
      <div>
        <h3>Words <span class="quiet">by their weight near the cursor × how rare they are here</span></h3>
        <ol class="levels">
          {known.map((it) => (
            <li key={it.term}>
              <code>{it.term}</code>
              <span class="track"><i style={{ width: `${(100 * (it.worth ?? 0)) / most}%` }} /></span>
              <span class="number" title={`weight ${score(it.weight)}`}>{score(it.worth ?? 0)}</span>
            </li>
          ))}
        </ol>
        {unknown.length > 0 && (
          <p class="quiet">Not in the repository: {unknown.map((it) => it.term).join(", ")}</p>
        )}
        {!terms.length && <Empty>There are no words around the cursor.</Empty>}
      </div>
      <div>
        <h3>Names <span class="quiet">and how many lines they are from the cursor</span></h3>
        <ul class="names">
          {names.map((it) => <li key={it.name}><code>{it.name}</code> <span class="quiet">{it.distance}</span></li>)}
        </ul>
        {!names.length && <Empty>There are no names around the cursor.</Empty>}
        <Session trace={trace} />
      </div>
    </section>
  );
}

function Session({ trace }: { trace: Trace }) {
  const { files, edited, tokens } = trace.session;
  const share = Math.round((100 * tokens) / Math.max(1, trace.budget.used));
  return (
    <>
      <h3>Session <span class="quiet">files that were edited or looked at; {tokens} tokens of the prompt ({share} %) are from them</span></h3>
      <ol class="names">
        {files.map((it) => <li key={it.path}><code>{it.path}</code> <span class="quiet">{it.lines.join(", ")}</span></li>)}
      </ol>
      {edited.length > 0 && <pre>{edited.join("\n")}</pre>}
      {!files.length && <Empty>Nothing was done in other files, as far as is known.</Empty>}
    </>
  );
}
