// The conversation: questions, their evidence, and answers as they are written. It outlives the view, so that an answer goes
// on while somebody looks at another one.

import { useEffect, useState } from "preact/hooks";
import { listen, post } from "../api";
import type { AnswerEnd, CallWithEvidence, Evidence, ModelAnswer, Receipt, Source, ToolCall } from "../data";

export interface Turn {
  id: number;
  question: string;
  status: "asked" | "writing" | "done" | "stopped" | "failed";
  evidence: Evidence | null;
  /** All evidence, that of the model's own searches last. */
  sources: Source[];
  /** What the model has written so far, with the marks of the check. */
  text: string;
  answer: ModelAnswer | null;
  /** What the user said of it. */
  verdict: Verdict | null;
  /** What the model has asked for. */
  calls: ToolCall[];
  error: string | null;
  /** When it was asked, and how long it took until the evidence and until the end, in milliseconds. */
  asked: number;
  gathered: number | null;
  took: number | null;
}

let turns: Turn[] = [];
let running: AbortController | null = null;
let count = 0;
const listeners = new Set<(turns: Turn[]) => void>();

function publish(next: Turn[]): void {
  turns = next;
  listeners.forEach((it) => it(turns));
}

function change(id: number, more: Partial<Turn>): void {
  publish(turns.map((it) => (it.id === id ? { ...it, ...more } : it)));
}

export function useTurns(): Turn[] {
  const [now, set] = useState(turns);
  useEffect(() => {
    listeners.add(set);
    set(turns);
    return () => void listeners.delete(set);
  }, []);
  return now;
}

export const isRunning = (turns: Turn[]): boolean => turns.some((it) => it.status === "asked" || it.status === "writing");

/** Stops the answer that is being written; the server tells the model. */
export function cancel(): void {
  running?.abort();
}

export function clear(): void {
  cancel();
  publish([]);
}

/** What an answer rests on: what it cites, or what stands first on the reading list. */
function cited(turn: Turn): Source[] {
  const numbers = turn.answer?.cited.length ? turn.answer.cited : (turn.evidence?.sections ?? []).flatMap((it) => it.evidence).slice(0, 6);
  return numbers.flatMap((n) => turn.sources[n - 1] ?? []);
}

/** What a later question keeps. */
const places = (before: Turn[]): [string, number, number][] => [...before].reverse().flatMap(cited).map((it) => [it.path, ...it.cited_lines]);

export type Verdict = "good" | "bad";

/** Keeps a verdict on an answer; the server weighs later answers by it, within bounds. */
export async function judge(turn: Turn, verdict: Verdict, workspace: string | undefined): Promise<void> {
  const before = turn.verdict;
  if (before === verdict) return;
  change(turn.id, { verdict });
  const place = ({ path, cited_lines: [start_line, end_line], symbol }: Source) => ({ path, start_line, end_line, symbol });
  const body = { verdict, about: "ask", question: turn.question.split("\n\n")[0], places: cited(turn).map(place), ...(workspace ? { workspace } : {}) };
  await post<Receipt>("/api/feedback", body).catch((error: Error) => change(turn.id, { verdict: before, error: error.message }));
}

export type AskedBy = "model" | "evidence";

export async function ask(question: string, workspace: string | undefined, by: AskedBy): Promise<void> {
  cancel();
  const before = turns;
  const id = ++count;
  const asked = performance.now();
  const turn: Turn = { id, question, status: "asked", evidence: null, sources: [], text: "", answer: null, calls: [], verdict: null, error: null, asked, gathered: null, took: null };
  publish([...before, turn]);
  const stop = new AbortController();
  running = stop;
  const earlier = before.map((it) => ({ question: it.question, answer: it.text }));
  const body = { question, by, earlier, places: places(before), ...(workspace ? { workspace } : {}) };
  try {
    await listen("/api/ask", (name, data) => take(id, name, data), stop.signal, body);
    const now = turns.find((it) => it.id === id);
    if (now && (now.status === "asked" || now.status === "writing")) change(id, { status: "failed", error: "The server ended before the answer did." });
  } catch (error) {
    const isStopped = stop.signal.aborted;
    change(id, isStopped ? { status: "stopped" } : { status: "failed", error: (error as Error).message });
  }
  change(id, { took: performance.now() - asked });
}

function take(id: number, name: string, data: unknown): void {
  const turn = turns.find((it) => it.id === id);
  if (!turn) return;
  if (name === "evidence") {
    const evidence = data as Evidence;
    change(id, { evidence, sources: evidence.evidence, gathered: turn.gathered ?? performance.now() - turn.asked, status: "writing" });
  } else if (name === "text" && turn.evidence?.by) {
    change(id, { text: turn.text + (data as string) });
  } else if (name === "call") {
    const { call, pieces } = data as CallWithEvidence;
    change(id, { calls: [...turn.calls, call], sources: [...turn.sources, ...pieces] });
  } else if (name === "end") {
    const { evidence, answer } = data as AnswerEnd;
    change(id, { status: "done", sources: evidence, answer: answer ?? null, text: answer?.text ?? turn.text });
  } else if (name === "error") {
    const { error } = data as { error: { message: string } };
    change(id, { status: "failed", error: error.message });
  }
}
