// The final prompt, coloured by the source of each part.

import { useEffect, useRef } from "preact/hooks";
import type { Segment, Trace } from "./data";
import { count, lines, plural } from "./format";
import { hue } from "./parts";

/** Segments that belong together: a piece with its header, the text on one side of the cursor, or the text between. */
export interface Block {
  kind: "piece" | "client" | "prefix" | "suffix" | "frame";
  piece?: number;
  segments: Segment[];
}

/** The header before a piece names it, so the two are shown together. */
export function blocks(segments: Segment[]): Block[] {
  const res: Block[] = [];
  let waiting: Segment[] = [];
  for (const it of segments) {
    if (it.source === "sentinel" || it.source === "header") {
      waiting.push(it);
    } else if (it.piece !== undefined || it.source === "client") {
      // The repository's name may precede the first piece, too.
      const from = waiting.findLastIndex((it) => it.source === "sentinel");
      const own = res.length === 0 && from > 0 ? waiting.splice(from) : waiting.splice(0);
      if (waiting.length) res.push({ kind: "frame", segments: waiting });
      const of = it.piece === undefined ? { kind: "client" as const } : { kind: "piece" as const, piece: it.piece };
      res.push({ ...of, segments: [...own, it] });
      waiting = [];
    } else {
      if (waiting.length) res.push({ kind: "frame", segments: waiting });
      res.push({ kind: it.source as "prefix" | "suffix", segments: [it] });
      waiting = [];
    }
  }
  if (waiting.length) res.push({ kind: "frame", segments: waiting });
  return res;
}

export const tokens = (it: Block): number => it.segments.reduce((sum, segment) => sum + segment.tokens, 0);

export function title(it: Block): string {
  switch (it.kind) {
    case "piece": return `piece ${(it.piece ?? 0) + 1}`;
    case "client": return "from the client";
    case "prefix": return "before the cursor";
    case "suffix": return "after the cursor";
    case "frame": return "format";
  }
}

export const colour = (it: Block): string => (it.piece === undefined ? `of-${it.kind}` : hue(it.piece));

interface Hot {
  hot: number | null;
  setHot: (piece: number | null) => void;
}

export function Prompt({ trace, hot, setHot }: Hot & { trace: Trace }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const block = hot === null ? null : list.current?.querySelector(`[data-piece="${hot}"]`);
    block?.scrollIntoView({ block: "nearest" });
  }, [hot]);
  return (
    <ol class="prompt" ref={list} aria-label="The prompt">
      {blocks(trace.segments).map((it, at) => (
        <li
          key={at}
          class={`block ${colour(it)} ${it.piece !== undefined && it.piece === hot ? "hot" : ""}`}
          data-piece={it.piece}
          onClick={() => it.piece !== undefined && setHot(it.piece)}
        >
          <Margin block={it} trace={trace} />
          <pre>
            {it.segments.map((segment, at) => (
              <span key={at} class={`source-${segment.source}`}>{segment.text}</span>
            ))}
            {it.segments.at(-1) === trace.segments.at(-1) && <span class="here" title="Here the model writes" />}
          </pre>
        </li>
      ))}
    </ol>
  );
}

function Margin({ block, trace }: { block: Block; trace: Trace }) {
  const piece = block.piece === undefined ? undefined : trace.pieces[block.piece];
  return (
    <p class="margin">
      <b>{title(block)}</b>
      <span class="quiet">{plural(tokens(block), "token")}</span>
      {piece && <span class="quiet">{piece.form}, lines {lines(piece)}</span>}
      {block.kind === "prefix" && <Window trace={trace} />}
    </p>
  );
}

function Window({ trace }: { trace: Trace }) {
  const shown = trace.window.shown.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return <span class="quiet">{count(Math.min(shown, trace.window.lines))} of {plural(trace.window.lines, "line")} of the file</span>;
}

/** A bar of all blocks of the prompt, as wide as their tokens. */
export function TokenBar({ trace, hot, setHot }: Hot & { trace: Trace }) {
  const { total, used } = trace.budget;
  const all = blocks(trace.segments);
  return (
    <div class="meter">
      <p class="meter-title">
        <b>{count(used)}</b> of {plural(total, "token")} <span class="quiet">· {trace.budget.counted_by}</span>
      </p>
      <div class="bar" role="group" aria-label={`Tokens: ${used} of ${total}`}>
        {all.map((it, at) => (
          <button
            key={at}
            type="button"
            class={`${colour(it)} ${it.piece !== undefined && it.piece === hot ? "hot" : ""}`}
            style={{ flexGrow: tokens(it) }}
            tabIndex={it.piece === undefined ? -1 : 0}
            title={label(it, trace)}
            aria-label={label(it, trace)}
            aria-pressed={it.piece === undefined ? undefined : it.piece === hot}
            onClick={() => setHot(it.piece === undefined || it.piece === hot ? null : it.piece)}
          />
        ))}
        <span class="free" style={{ flexGrow: Math.max(0, total - used) }} title={plural(total - used, "token") + " left"} />
      </div>
      <ul class="legend">
        <li><i class="of-prefix" /> before the cursor</li>
        <li><i class="of-suffix" /> after it</li>
        <li><i class="pieces" /> {plural(trace.pieces.length, "piece")}, {plural(trace.budget.pieces, "token")}</li>
        {all.some((it) => it.kind === "client") && <li><i class="of-client" /> from the client</li>}
        <li><i class="of-frame" /> format</li>
        {total > used && <li><i class="free" /> {count(total - used)} left</li>}
      </ul>
    </div>
  );
}

function label(it: Block, trace: Trace): string {
  const piece = it.piece === undefined ? undefined : trace.pieces[it.piece];
  const place = piece ? `, ${piece.path}:${lines(piece)}` : "";
  return `${title(it)}${place}, ${plural(tokens(it), "token")}`;
}
