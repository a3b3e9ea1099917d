// The same position with other settings, side by side.

import { useState } from "preact/hooks";
import { post } from "./api";
import type { Options, Piece, Trace } from "./data";
import { count, lines, plural } from "./format";
import { Chip, hue, place as placeOf } from "./parts";
import { mainReason } from "./reasons";
import { Prompt, TokenBar } from "./prompt";
import { Problem } from "./server";

/** ReplayTarget is replayed: a position in a file, or a request that the server still has. */
export type ReplayTarget = { file: string; line: number; column: number; workspace?: string } | { request: string };

interface ReplaySettings {
  format: string;
  budget: number;
  weights: Record<string, number>;
}

interface Props {
  trace: Trace;
  what: ReplayTarget;
  options: Options;
  /** The answer at that time, if there was one. */
  answer?: string;
}

/** The embedded model always answers again, another server's model on request. */
type ReplayAnswer = Trace & { answer?: string | null };

export function Replay({ trace, what, options, answer }: Props) {
  const before: ReplaySettings = {
    format: trace.settings.format,
    budget: trace.budget.total,
    weights: Object.fromEntries(trace.settings.weights.map((it) => [it.signal, it.weight])),
  };
  const [settings, set] = useState(before);
  const [after, setAfter] = useState<ReplayAnswer | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const run = async (answer: boolean) => {
    try {
      setAfter(await post<ReplayAnswer>("/api/replay", { ...what, ...settings, ...(answer ? { answer } : {}) }));
      setError(null);
    } catch (error) {
      setError(error as Error);
    }
  };
  return (
    <section class="replay">
      <Form settings={settings} set={set} run={run} reset={() => set(before)} options={options} asks={options.server && "request" in what} />
      {error && <Problem error={error} />}
      {after ? <Sides before={trace} after={after} answer={answer} /> : <p class="quiet">Change what you like and replay; the repository is read as it is now.</p>}
    </section>
  );
}

interface FormProps {
  settings: ReplaySettings;
  set: (settings: ReplaySettings) => void;
  run: (answer: boolean) => Promise<void>;
  reset: () => void;
  options: Options;
  /** Whether another server's model can answer. */
  asks: boolean;
}

function Form({ settings, set, run, reset, options, asks }: FormProps) {
  return (
    <form class="wishes" onSubmit={(event) => (event.preventDefault(), void run(false))}>
      <label>Format
        <select class="field" value={settings.format} onChange={(event) => set({ ...settings, format: event.currentTarget.value })}>
          {options.formats.map((it) => <option key={it.name} value={it.name}>{it.title}</option>)}
        </select>
      </label>
      <label>Budget
        <input class="field" type="number" min="1" value={settings.budget} onInput={(event) => set({ ...settings, budget: event.currentTarget.valueAsNumber || 0 })} />
      </label>
      {Object.entries(settings.weights).map(([signal, weight]) => (
        <label key={signal}><span>{signal} <b>{weight.toFixed(1)}</b></span>
          <input type="range" aria-label={`Weight of ${signal}`} min="0" max="3" step="0.1" value={weight} onInput={(event) => set({ ...settings, weights: { ...settings.weights, [signal]: event.currentTarget.valueAsNumber } })} />
        </label>
      ))}
      <span class="buttons">
        <button class="small primary">Replay</button>
        {asks && <button type="button" class="small" onClick={() => void run(true)}>Replay and ask the model</button>}
        <button type="button" class="small" onClick={reset}>As it was</button>
      </span>
    </form>
  );
}

/** A piece in one prompt, the other, or both. */
interface Pair {
  before: number | null;
  after: number | null;
}

const key = (it: Piece) => `${it.path}:${lines(it)}`;

/** With another budget, the same code may be shown in another form or with other lines. */
const same = (a: Piece, b: Piece) => a.path === b.path && a.start_line <= b.end_line && b.start_line <= a.end_line;

/** The pieces of both, in the order of the second; those that only the first has come last. */
function pairs(before: Trace, after: Trace): Pair[] {
  const at = (trace: Trace, it: Piece) => {
    const exact = trace.pieces.findIndex((other) => key(other) === key(it));
    const found = exact < 0 ? trace.pieces.findIndex((other) => same(other, it)) : exact;
    return found < 0 ? null : found;
  };
  const kept = after.pieces.map((it, n): Pair => ({ before: at(before, it), after: n }));
  const gone = before.pieces.map((it, n): Pair => ({ before: n, after: at(after, it) }));
  return [...kept, ...gone.filter((it) => it.after === null)];
}

function Sides({ before, after, answer }: { before: Trace; after: ReplayAnswer; answer: string | undefined }) {
  const all = pairs(before, after);
  const n = (is: (it: Pair) => boolean) => all.filter(is).length;
  return (
    <>
      <p class="chips">
        <Chip>{plural(n((it) => it.before !== null && it.after !== null), "piece")} in both</Chip>
        <Chip kind="good">+{n((it) => it.before === null)}</Chip>
        <Chip kind="bad">−{n((it) => it.after === null)}</Chip>
        <Chip>{count(before.budget.used)} → {count(after.budget.used)} tokens</Chip>
      </p>
      <Moves before={before} after={after} all={all} />
      <div class="sides">
        <Side title="As it was" trace={before} answer={answer} />
        <Side title="Replayed" trace={after} answer={after.answer ?? (after.answer === null ? "" : undefined)} />
      </div>
    </>
  );
}

function Moves({ before, after, all }: { before: Trace; after: Trace; all: Pair[] }) {
  return (
    <div class="scroll">
      <table class="moves cards">
        <thead><tr><th scope="col" class="number">was</th><th scope="col" class="number">is</th><th scope="col">piece</th><th scope="col" class="number">tokens</th><th scope="col">why</th></tr></thead>
        <tbody>
          {all.map((pair) => {
            const it = pair.after === null ? before.pieces[pair.before ?? 0] : after.pieces[pair.after];
            if (!it) return null;
            const state = pair.before === null ? "added" : pair.after === null ? "removed" : "";
            return (
              <tr key={key(it) + state} class={state}>
                <td class="number" data-name="was">{pair.before === null ? "" : pair.before + 1}</td>
                <td class="number" data-name="is">{pair.after === null ? "" : pair.after + 1}</td>
                <th scope="row" class={pair.after === null ? "" : hue(pair.after)}>{it.symbol && <code>{it.symbol} </code>}{placeOf(it)}</th>
                <td class="number" data-name="tokens">{count(it.tokens)}</td>
                <td class="quiet">{mainReason(it)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Side({ title, trace, answer }: { title: string; trace: Trace; answer: string | undefined }) {
  const [hot, setHot] = useState<number | null>(null);
  return (
    <div class="one-side">
      <h2>{title} <span class="quiet">{trace.settings.format}, {count(trace.budget.total)} tokens</span></h2>
      {answer !== undefined && <pre class="raw answer" aria-label="Answer">{answer || "(nothing)"}</pre>}
      <TokenBar trace={trace} hot={hot} setHot={setHot} />
      <Prompt trace={trace} hot={hot} setHot={setHot} />
    </div>
  );
}
