// The ranks of every candidate through the stages, as a chart and as a table.

import { useState } from "preact/hooks";
import { Bump } from "./bump";
import type { Candidate, Dropped, Trace } from "./data";
import { score } from "./format";
import { useRoving } from "./keys";
import { Empty, Filter, Reasons, Search, hue, place } from "./parts";

/** The outcome of a candidate. */
export interface Outcome {
  candidate: Candidate;
  /** Its position in the prompt, from 0. */
  piece?: number;
  dropped?: Dropped;
}

/** All candidates, by their rank after reranking. */
export function outcomes(trace: Trace): Outcome[] {
  const pieces: Outcome[] = trace.pieces.map((candidate, piece) => ({ candidate, piece }));
  const dropped: Outcome[] = trace.dropped.map((it) => ({ candidate: it, dropped: it }));
  return [...pieces, ...dropped].sort((a, b) => a.candidate.reranked - b.candidate.reranked);
}

export function Ranking({ trace }: { trace: Trace }) {
  const all = outcomes(trace);
  const [code, setCode] = useState("");
  const [text, setText] = useState("");
  const [focus, setFocus] = useState<number | null>(null);
  const codes = ["prompt", ...new Set(trace.dropped.map((it) => it.code))];
  const is = (it: Outcome, id: string) => (id === "prompt" ? it.piece !== undefined : it.dropped?.code === id);
  const choices = codes.map((id) => ({ id, title: WORDS[id] ?? id, n: all.filter((it) => is(it, id)).length }));
  const shown = all.filter((it) => (!code || is(it, code)) && it.candidate.path.includes(text));
  return (
    <section class="ranking">
      <Bump trace={trace} outcomes={all} focus={focus} setFocus={setFocus} />
      <div class="tools">
        <Search value={text} set={setText} name="Filter by path" />
        <Filter choices={choices} chosen={code} choose={setCode} name="Filter by what became of it" />
      </div>
      <Table trace={trace} shown={shown} focus={focus} setFocus={setFocus} />
      {!shown.length && <Empty>Nothing of that kind.</Empty>}
    </section>
  );
}

const WORDS: Record<string, string> = {
  prompt: "in the prompt",
  shown: "around the cursor",
  duplicate: "shown by another",
  filler: "licence, imports",
  budget: "no room",
  enough: "enough pieces",
  weak: "too weak",
};

interface TableProps {
  trace: Trace;
  shown: Outcome[];
  focus: number | null;
  setFocus: (reranked: number | null) => void;
}

function Table({ trace, shown, focus, setFocus }: TableProps) {
  const { onKeyDown, item } = useRoving();
  const signals = trace.lists.map((it) => it.signal);
  return (
    <div class="scroll">
      <table class="fates cards" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">candidate</th>
            {signals.map((it) => <th key={it} scope="col" class="number">{it}</th>)}
            <th scope="col" class="number">merged</th>
            <th scope="col" class="number">final rank</th>
            <th scope="col" class="number">score</th>
            <th scope="col">what became of it</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((it, at) => (
            <Row key={it.candidate.reranked} it={it} signals={signals} open={it.candidate.reranked === focus} setFocus={setFocus} item={item(at)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  it: Outcome;
  signals: string[];
  open: boolean;
  setFocus: (reranked: number | null) => void;
  item: { onFocus: () => void } & Record<string, unknown>;
}

function Row({ it, signals, open, setFocus, item }: RowProps) {
  const { candidate, piece, dropped } = it;
  const focus = () => {
    item.onFocus();
    setFocus(candidate.reranked);
  };
  return (
    <>
      <tr class={`fate ${piece === undefined ? "" : hue(piece)} ${open ? "hot" : ""}`} {...item} onFocus={focus} onClick={focus}>
        <th scope="row">{place(candidate)}</th>
        {signals.map((signal) => (
          <td key={signal} class="number" data-name={signal}>{candidate.ranks.find((it) => it.signal === signal)?.rank ?? <span class="none">·</span>}</td>
        ))}
        <td class="number" data-name="merged">{candidate.fused}</td>
        <td class="number" data-name="final rank">{candidate.reranked}</td>
        <td class="number" data-name="score">{score(candidate.score)}</td>
        <td class="fate-why">{dropped ? dropped.why : <b>piece {(piece ?? 0) + 1}</b>}</td>
      </tr>
      {open && (
        <tr class="detail"><td colSpan={signals.length + 5}><Reasons it={candidate} /></td></tr>
      )}
    </>
  );
}
