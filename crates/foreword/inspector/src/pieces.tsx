// The pieces of a prompt, each with the reasons for it.

import { useState } from "preact/hooks";
import type { Trace } from "./data";
import { count, score } from "./format";
import { useRoving } from "./keys";
import { Reasons, Ranks, hue, place } from "./parts";
import { mainReason } from "./reasons";

interface Props {
  trace: Trace;
  hot: number | null;
  setHot: (piece: number | null) => void;
}

export function Pieces({ trace, hot, setHot }: Props) {
  const { onKeyDown, item } = useRoving();
  // What a piece takes in the prompt, with its header: the numbers beside the prompt and in the bar.
  const costs = trace.pieces.map((_, at) => trace.segments.filter((it) => it.piece === at).reduce((sum, it) => sum + it.tokens, 0));
  const most = Math.max(1, ...costs);
  const [open, setOpen] = useState<number | null>(null);
  const toggle = (at: number) => {
    setOpen(open === at ? null : at);
    setHot(at);
  };
  return (
    <ol class="pieces" aria-label="Pieces, in the order of the prompt" onKeyDown={onKeyDown}>
      {trace.pieces.map((it, at) => (
        <li key={at} class={`piece ${hue(at)} ${at === hot ? "hot" : ""}`}>
          <button
            type="button"
            class="row"
            aria-expanded={open === at}
            onClick={() => toggle(at)}
            {...item(at)}
          >
            <span class="number">{at + 1}</span>
            <span class="what">
              {it.symbol && <b class="symbol">{it.symbol}</b>}
              {place(it)}
            </span>
            <span class="cost" title={`score ${score(it.score)}`}>
              <b>{count(costs[at] ?? it.tokens)}</b> <span class="quiet">{it.form}</span>
              <i class="level" style={{ width: `${(100 * (costs[at] ?? 0)) / most}%` }} />
            </span>
          </button>
          <Reason trace={trace} at={at} all={open === at} />
        </li>
      ))}
    </ol>
  );
}

function Reason({ trace, at, all }: { trace: Trace; at: number; all: boolean }) {
  const it = trace.pieces[at];
  if (!it) return null;
  if (all) return <div class="more"><Reasons it={it} /><Ranks it={it} place={at} /></div>;
  return <p class="first-reason">{mainReason(it)}</p>;
}
