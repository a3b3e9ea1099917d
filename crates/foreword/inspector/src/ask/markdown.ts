// What chat models write, as values: paragraphs, headings, lists and code, with citations and the marks of the check. Only
// text comes out of it, no HTML, and no address: what a model or a repository says can change nothing in the page.

export type Inline =
  | { kind: "text" | "code" | "strong"; text: string }
  | { kind: "cite"; text: string; numbers: number[] }
  | { kind: "place"; text: string; path: string; lines: [number, number] };

export interface Line {
  parts: Inline[];
  /** What the check says of the line; empty where it found nothing wrong. */
  doubt: string;
}

export type Block =
  | { kind: "paragraph"; lines: Line[] }
  | { kind: "heading"; level: number; line: Line }
  | { kind: "item"; mark: string; depth: number; lines: Line[] }
  | { kind: "code"; language: string; lines: { text: string; doubt: string }[] }
  | { kind: "rule" };

const MARK = /\s?\[⚠ unverified: (.*)\]$/;

function checked(line: string): [string, string] {
  const found = MARK.exec(line);
  return found ? [line.slice(0, found.index), found[1] ?? ""] : [line, ""];
}

const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\[\d+(?:,\s*\d+)*\](?!\())|((?:[\w@+.-]+\/)*[\w@+-][\w@+.-]*\.\w{1,6}:\d+(?:[-–]\d+)?)/g;

/** The text without the backslashes with which the server breaks images and elements; nothing here could load them. */
const unbroken = (text: string): string => text.replace(/(!)\\(?=\[)|\\(?=<)/g, "$1");

export function inline(text: string): Inline[] {
  const res: Inline[] = [];
  let at = 0;
  for (const it of text.matchAll(INLINE)) {
    if (it.index > at) res.push({ kind: "text", text: unbroken(text.slice(at, it.index)) });
    const [whole, code, strong, cite, place] = it;
    const inner = code?.slice(1, -1);
    if (inner !== undefined) res.push(toPlace(inner) ?? { kind: "code", text: inner });
    else if (strong) res.push({ kind: "strong", text: strong.slice(2, -2) });
    else if (cite) res.push({ kind: "cite", text: cite, numbers: cite.slice(1, -1).split(",").map(Number) });
    else res.push(toPlace(place ?? "") ?? { kind: "text", text: whole });
    at = it.index + whole.length;
  }
  if (at < text.length) res.push({ kind: "text", text: unbroken(text.slice(at)) });
  return res;
}

function toPlace(text: string): Inline | null {
  const [, path, first, last] = /^([^\s:]+\.\w{1,6}):(\d+)(?:[-–](\d+))?$/.exec(text) ?? [];
  if (!path || !first) return null;
  return { kind: "place", text, path, lines: [Number(first), Number(last ?? first)] };
}

function line(text: string): Line {
  const [said, doubt] = checked(text);
  return { parts: inline(said), doubt };
}

/** Reads an answer, also one that is being written. */
export function markdown(text: string): Block[] {
  const res: Block[] = [];
  let fence = "";
  for (const raw of text.split("\n")) {
    const last = res.at(-1);
    const bare = raw.trim();
    const mark = /^(```+|~~~+)/.exec(bare)?.[1] ?? "";
    if (fence ? bare.startsWith(fence) : mark) {
      if (!fence) res.push({ kind: "code", language: bare.slice(mark.length).trim(), lines: [] });
      fence = fence ? "" : mark;
    } else if (fence && last?.kind === "code") {
      const [said, doubt] = checked(raw);
      last.lines.push({ text: said, doubt });
    } else {
      outside(res, raw, bare);
    }
  }
  const last = res.at(-1);
  // The line that is being written.
  if (fence && last?.kind === "code" && last.lines.at(-1)?.text === "") last.lines.pop();
  return res.filter((it) => it.kind !== "paragraph" || it.lines.length > 0);
}

/** A line that is not in a code block. */
function outside(res: Block[], raw: string, bare: string): void {
  const last = res.at(-1);
  const heading = /^(#{1,6})\s+(.*)$/.exec(bare);
  const item = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(raw);
  if (!bare) {
    if (last?.kind !== "paragraph" || last.lines.length > 0) res.push({ kind: "paragraph", lines: [] });
  } else if (/^([-*_])(\s*\1){2,}$/.test(bare)) {
    res.push({ kind: "rule" });
  } else if (heading) {
    res.push({ kind: "heading", level: heading[1]?.length ?? 1, line: line(heading[2] ?? "") });
  } else if (item) {
    const mark = /\d/.test(item[2] ?? "") ? (item[2] ?? "") : "•";
    res.push({ kind: "item", mark, depth: Math.min(3, Math.floor((item[1]?.length ?? 0) / 2)), lines: [line(item[3] ?? "")] });
  } else if (last?.kind === "paragraph" || last?.kind === "item") {
    last.lines.push(line(bare));
  } else {
    res.push({ kind: "paragraph", lines: [line(bare)] });
  }
}
