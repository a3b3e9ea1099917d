// A bump chart of ranks from stage to stage: a dot for each signal's list, then lines to fuse, rerank and the prompt.

import type { Trace } from "./data";
import { split } from "./format";
import { hue, useSize } from "./parts";
import type { Outcome } from "./ranking";

/** The ranks that are shown; pieces are shown at any rank. */
const SHOWN = 60;
const HEIGHT = 380;
const TOP = 34;
const LEFT = 44;
const COLUMN = 84;
const STAGE = 150;
const LABEL = 170;

/** On a narrower figure the lists of the signals are left out, so that letters need not shrink. */
const SMALL = 640;
const SMALL_STAGE = 92;
const SMALL_LABEL = 130;

interface Props {
  trace: Trace;
  outcomes: Outcome[];
  focus: number | null;
  setFocus: (reranked: number | null) => void;
}

interface Axis {
  signals: string[];
  /** How many letters of a name there is room for. */
  letters: number;
  x: (column: string) => number;
  y: (rank: number) => number;
  /** The height of a position in the prompt, from 0; the distance leaves room for the names. */
  end: (piece: number) => number;
  width: number;
}

export function Bump({ trace, outcomes, focus, setFocus }: Props) {
  const { ref, width } = useSize<HTMLElement>();
  const isSmall = width > 0 && width < SMALL;
  const signals = isSmall ? [] : trace.lists.filter((it) => it.hits > 0).map((it) => it.signal);
  const shown = outcomes.filter((it) => it.piece !== undefined || it.candidate.reranked <= SHOWN);
  const deepest = Math.max(16, ...shown.flatMap(({ candidate: it }) => [it.fused, it.reranked, ...(isSmall ? [] : it.ranks.map((it) => it.rank))]));
  const axis = axes(signals, trace.pieces.length, deepest, isSmall);
  // Pieces are drawn over dropped candidates, and the focused line over all.
  const weight = (it: Outcome) => (it.candidate.reranked === focus ? 2 : it.piece === undefined ? 0 : 1);
  const order = [...shown].sort((a, b) => weight(a) - weight(b));
  return (
    <figure class="bump scroll" ref={ref}>
      <svg viewBox={`0 0 ${axis.width} ${HEIGHT}`} role="img" aria-label="Ranks of the candidates from stage to stage; the table below has the same numbers">
        <Grid trace={trace} signals={signals} axis={axis} />
        {order.map((it) => (
          <Line key={it.candidate.reranked} it={it} axis={axis} hot={it.candidate.reranked === focus} setFocus={setFocus} />
        ))}
      </svg>
      <figcaption>
        {!isSmall && "Dots are places on the lists of the signals; "}{isSmall ? "The" : "the"} top is rank 1. Lines in colour end in the prompt, in its order;
        grey ones were dropped.
      </figcaption>
    </figure>
  );
}

function axes(signals: string[], pieces: number, deepest: number, isSmall: boolean): Axis {
  const stages = ["fuse", "rerank", "prompt"];
  const [stage, label] = isSmall ? [SMALL_STAGE, SMALL_LABEL] : [STAGE, LABEL];
  // A small figure begins with the first stage.
  const start = isSmall ? LEFT + 46 - stage : LEFT + Math.max(0, signals.length - 1) * COLUMN;
  const x = (column: string) => {
    const signal = signals.indexOf(column);
    return signal >= 0 ? LEFT + signal * COLUMN : start + (stages.indexOf(column) + 1) * stage - 30;
  };
  // The first ranks matter most, so they get more room.
  const y = (rank: number) => TOP + 16 + (HEIGHT - TOP - 26) * (Math.log2(rank) / Math.log2(deepest));
  const apart = Math.min(24, (HEIGHT - TOP - 34) / Math.max(1, pieces - 1));
  const end = (piece: number) => y(1) + piece * apart;
  return { signals, letters: Math.floor((label - 34) / 6), x, y, end, width: start + 3 * stage + label };
}

function Grid({ trace, signals, axis }: { trace: Trace; signals: string[]; axis: Axis }) {
  const hits = (signal: string) => trace.lists.find((it) => it.signal === signal)?.hits;
  return (
    <g class="grid">
      {[1, 2, 4, 8, 16, 32, 64].map((rank) => (
        <g key={rank}>
          <line x1={LEFT - 14} x2={axis.x("rerank")} y1={axis.y(rank)} y2={axis.y(rank)} />
          <text x={LEFT - 20} y={axis.y(rank) + 3} text-anchor="end">{rank}</text>
        </g>
      ))}
      {[...signals, "fuse", "rerank", "prompt"].map((it) => (
        <text key={it} class="column" x={axis.x(it)} y={16} text-anchor="middle">
          {it}{hits(it) ? <tspan class="faint"> {hits(it)}</tspan> : ""}
        </text>
      ))}
    </g>
  );
}

interface LineProps {
  it: Outcome;
  axis: Axis;
  hot: boolean;
  setFocus: (reranked: number | null) => void;
}

function Line({ it, axis, hot, setFocus }: LineProps) {
  const { x, y } = axis;
  const { candidate, piece } = it;
  const fused: Point = [x("fuse"), y(candidate.fused)];
  const reranked: Point = [x("rerank"), y(candidate.reranked)];
  const end: Point | null = piece === undefined ? null : [x("prompt"), axis.end(piece)];
  const dots: Point[] = candidate.ranks.filter(({ signal }) => axis.signals.includes(signal)).map(({ signal, rank }) => [x(signal), y(rank)]);
  const last = dots.reduce<Point>((a, b) => (b[0] > a[0] ? b : a), dots[0] ?? fused);
  return (
    <g class={`way-line ${piece === undefined ? "dropped" : hue(piece)} ${hot ? "hot" : ""}`} onMouseEnter={() => setFocus(candidate.reranked)}>
      {dots.map((it) => <path key={it[0]} class="from" d={curve(it, fused)} hidden={it !== last && !hot} />)}
      <path d={curve(fused, reranked)} />
      {end ? <path d={curve(reranked, end)} /> : <path class="stub" d={`M${reranked[0]} ${reranked[1]}h26`} />}
      {[...dots, fused, reranked, ...(end ? [end] : [])].map(([cx, cy], at) => <circle key={at} cx={cx} cy={cy} r={at < dots.length ? 2.4 : 3.4} />)}
      {end && <text class="label" x={end[0] + 9} y={end[1] + 3.5}>{(piece ?? 0) + 1} <tspan class="faint">{cut(split(candidate.path)[1], axis.letters)}</tspan></text>}
      <title>{`${candidate.path}:${candidate.start_line}`}</title>
    </g>
  );
}

const cut = (name: string, letters: number): string => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);

type Point = [number, number];

function curve([ax, ay]: Point, [bx, by]: Point): string {
  const bend = (bx - ax) / 2;
  return `M${ax} ${ay}C${ax + bend} ${ay} ${bx - bend} ${by} ${bx} ${by}`;
}
