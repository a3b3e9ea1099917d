// What the page is told: the trace of docs/inspector.md, field by field.

export interface Trace {
  version: number;
  repository: string;
  snapshot: string;
  complete: boolean;
  fresh: boolean;
  path: string;
  language: string | null;
  line: number;
  column: number;
  settings: Settings;
  budget: Budget;
  segments: Segment[];
  stop: string[];
  window: { lines: number; shown: Lines[]; changed: Lines[] };
  query: { terms: Term[]; names: Name[] };
  lists: { signal: string; hits: number }[];
  pieces: Piece[];
  dropped: Dropped[];
  notes: string[];
  stages: Stage[];
}

export type Lines = [number, number];

export interface Settings {
  format: string;
  budget: number;
  weights: { signal: string; weight: number }[];
  fingerprint: string;
}

export interface Budget {
  total: number;
  used: number;
  around: number;
  pieces: number;
  segments: number;
  seams: number;
  added: number;
  counted_by: string;
}

export interface Segment {
  source: string;
  piece?: number;
  text: string;
  tokens: number;
}

export interface Term {
  term: string;
  weight: number;
  worth: number | null;
}

export interface Name {
  name: string;
  weight: number;
  distance: number;
}

export interface Candidate {
  path: string;
  start_line: number;
  end_line: number;
  score: number;
  ranks: { signal: string; rank: number }[];
  fused: number;
  fused_score: number;
  reranked: number;
  factors: { what: string; factor: number }[];
  reasons: string[];
}

export interface Piece extends Candidate {
  symbol: string;
  form: string;
  tokens: number;
}

export interface Dropped extends Candidate {
  code: string;
  why: string;
}

export interface Stage {
  stage: string;
  ms: number;
}

/** What `foreword context --html` puts into the page; a page from a server has none. */
export function embedded(): Trace | null {
  const text = document.getElementById("data")?.textContent;
  return text ? (JSON.parse(text) as Trace) : null;
}
