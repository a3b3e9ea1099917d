// The data that the page shows, as the server and `foreword context --html` send it (docs/inspector.md). A test
// (crates/foreword/tests/it/inspector/schema.rs) compares these declarations with real answers, both ways.

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
  window: { lines: number; shown: Lines[]; changed: Lines[]; since_commit: Lines[] };
  session: { files: { path: string; lines: number[] }[]; edited: string[]; tokens: number };
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
  /** The code of each of `reasons`. */
  reason_codes: string[];
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

/** The trace that `foreword context --html` puts into the page; a page from a server has none. */
export function embedded(): Trace | null {
  const text = document.getElementById("data")?.textContent;
  return text ? (JSON.parse(text) as Trace) : null;
}

/** What can be set for a prompt, and the defaults. */
export interface Options {
  version: number;
  foreword: string;
  workspaces: { name: string; root: string }[];
  formats: { name: string; title: string }[];
  format: string;
  budget: number;
  weights: { signal: string; weight: number }[];
  /** Whether the model of another server answers, not the embedded one. */
  server: boolean;
  /** The chat model that answers questions; null where there is none. */
  chat: string | null;
}

/** A request as a row of the list. */
export interface Summary {
  id: string;
  at: number;
  door: string;
  endpoint: string;
  client: string | null;
  place: Place;
  context: "untouched" | "file" | "lexical" | "late" | "failed" | "refused";
  /** The confidence of a completion that was not shown. */
  withheld: number | null;
  status: number;
  end: "running" | "done" | "cancelled" | "failed";
  timings: Timings;
  prompt_tokens: number | null;
  cached_tokens: number | null;
  answer_bytes: number;
  verdict: "viewed" | "accepted" | "dismissed" | null;
  /** How many notes there are. */
  notes: number;
}

export interface Place {
  workspace: string | null;
  path: string | null;
  line: number | null;
  column: number | null;
  confidence: number;
  how: string;
}

export interface Timings {
  locate: number;
  context: number;
  first: number;
  model: number;
  total: number;
  own: number;
}

/** A request with everything that is recorded about it. */
export interface RequestRecord extends Omit<Summary, "prompt_tokens" | "cached_tokens" | "answer_bytes" | "notes"> {
  request: unknown;
  trace: Trace | null;
  snippets: { filepath: string; body: string; score: number }[];
  /** What the completion has of each snippet, in their order; empty until it is complete. */
  used: { names: string[]; lines: number; share: number }[];
  prompt: string | null;
  answer: string;
  model: {
    title: string;
    status: number;
    prompt_tokens: number | null;
    answer_tokens: number | null;
    cached_tokens: number | null;
    prompt_ms: number | null;
    answer_ms: number | null;
  };
  notes: string[];
}

export interface Index {
  version: number;
  root: string;
  repository: string;
  git: { branch: string | null; head: string | null; worktree: boolean; submodule: boolean } | null;
  index: string;
  index_bytes: number;
  indexed: boolean;
  complete: boolean;
  snapshot: string | null;
  files: number;
  chunks: number;
  lines: number;
  bytes: number;
  segments: number;
  generation: number;
  stale: { changed: number; added: number; removed: number };
  languages: { language: string; files: number }[];
  unparsed: { code: string; files: number; paths: string[] }[];
  left_out: { code: string; paths: number }[];
  masked: { files: number; places: number };
  precise: unknown[];
  fresh: boolean;
  indexing: [number, number] | null;
  trouble: string | null;
}

export interface Files {
  version: number;
  snapshot: string;
  total: number;
  files: { path: string; language: string; bytes: number; lines: number; chunks: number }[];
}

export interface Ignored {
  version: number;
  total: number;
  codes: { code: string; paths: number }[];
  paths: { path: string; code: string; reason: string }[];
}

export interface RepositoryMap {
  version: number;
  snapshot: string;
  complete: boolean;
  files_total: number;
  files_shown: number;
  definitions_total: number;
  definitions_shown: number;
  files: MapFile[];
  edges: { user: number; definer: number; weight: number }[];
}

export interface MapFile {
  path: string;
  rank: number;
  definitions: { start_line: number; end_line: number; kind: string; signature: string; depth: number }[];
}

/** What was gathered for a question, sent before anybody answers. */
export interface Evidence {
  snapshot: string;
  strength: Strength;
  /** What is missing for an answer, in sentences. */
  missing: string | null;
  evidence: Source[];
  kinds: string[];
  /** What went wrong, in the words of the program whose output was pasted. */
  messages: string[];
  /** The reading list: headings, and the numbers of what stands below each. */
  sections: { title: string; evidence: number[] }[];
  /** The chat model that is asked; null where there is none. */
  by: string | null;
}

export interface Strength {
  score: number;
  enough: boolean;
  absent: string[];
  apart: string[];
  words: WordStrength[];
}

/** A word of the question. */
export interface WordStrength {
  word: string;
  weight: number;
  chunks: number;
  common: boolean;
  found: number;
  /** The most telling place in which the repository has it. */
  stands: string;
}

/** A piece of evidence. */
export interface Source {
  /** Its number in citations, from 1. */
  n: number;
  id: string;
  role: string;
  path: string;
  start_line: number;
  end_line: number;
  cited_lines: Lines;
  symbol: string;
  kind: string;
  signature: string;
  summary: string;
  key_lines: { line: number; text: string }[];
  why: { code: string; text: string }[];
  /** What it is from, where a team or the user added it. */
  source?: { kind: string; text: string };
  message?: string;
  tokens: number;
  text: string;
}

/** The end of an answer: all evidence, and what a model said. */
export interface AnswerEnd {
  snapshot: string;
  strength: Strength;
  missing: string | null;
  evidence: Source[];
  answer?: ModelAnswer;
}

export interface ModelAnswer {
  by: string;
  text: string;
  cited: number[];
  problems: { code: string; text: string }[];
  calls: ToolCall[];
  end: string;
}

/** What a model asked for, and the numbers of the evidence that it got. */
export interface ToolCall {
  tool: string;
  arguments: unknown;
  evidence: number[];
  error?: string;
}

/** A call while the answer is written, with the evidence that it gave. */
export interface CallWithEvidence {
  call: ToolCall;
  pieces: Source[];
}

/** What was kept of a verdict. */
export interface Receipt {
  version: number;
  kept: number;
  total: number;
}

/** Some lines of a file. */
export interface FileLines {
  version: number;
  snapshot: string;
  path: string;
  language: string | null;
  total: number;
  from: number;
  /** Each line in pieces of one colour: what it is, and its text. */
  lines: { runs: [string, string][]; cut: boolean }[];
}

/** Where the next edit is likely. */
export interface NextPlaces {
  version: number;
  snapshot: string;
  complete: boolean;
  edits: number;
  places: LikelyPlace[];
}

export interface LikelyPlace {
  path: string;
  start_line: number;
  end_line: number;
  symbol: string;
  kind: string;
  confidence: number;
  certain: boolean;
  guess: boolean;
  edits: { kind: string; start_line: number; end_line: number; text: string }[];
  reasons: { code: string; text: string }[];
  text: string;
}

/** How much of a repository is planned. */
export interface Plans {
  version: number;
  snapshot: string;
  index_bytes: number;
  plans: Coverage | null;
}

/** The plans of the chat model that planned last. */
export interface Coverage {
  model: string;
  files: number;
  current: number;
  outdated: number;
  bytes: number;
  age_s: number | null;
  beyond: number;
  next: string[];
  cost: TotalCost;
}

/** Total cost of all runs of a chat model. */
export interface TotalCost {
  requests: number;
  prompt_tokens: number;
  answer_tokens: number;
  seconds: number;
  usd: number;
  thrown_out: number;
  paused: boolean;
}

/** The stored plan of a file. */
export interface FilePlan {
  version: number;
  snapshot: string;
  path: string;
  requests: number;
  plan: Plan | null;
}

export interface Plan {
  model: string;
  state: "current" | "outdated" | "missing";
  age_s: number | null;
  changed: string[];
  blocks: PlanBlock[];
  forecasts: Forecast[];
  run: PlanRun | null;
}

/** A chat model's last run on a file. */
export interface PlanRun {
  outcome: "planned" | "gone" | "failed";
  requests: number;
  calls: number;
  prompt_tokens: number;
  answer_tokens: number;
  seconds: number;
  usd: number;
  thrown_out: { code: string; count: number }[];
  problems: string[];
}

export interface PlanBlock {
  path: string;
  start_line: number;
  end_line: number;
  score: number;
  state: "same" | "kept" | "gone";
  why: string | null;
  reason: string;
  text: string;
  prompts: number;
  accepted: number;
}

export interface Forecast {
  name: string;
  path: string;
  line: number;
  score: number;
  evidence: { path: string; start_line: number; end_line: number; what: string }[];
  code: string;
  state: "open" | "written" | "dropped";
  why: string | null;
  accepted: number;
}
