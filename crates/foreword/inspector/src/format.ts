// Formats numbers, times and paths for people.

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (n: number): string => grouped.format(n);

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

export const score = (n: number): string => (n >= 100 ? n.toFixed(0) : n.toFixed(n >= 10 ? 1 : 2));

export const percent = (part: number): string => `${(part * 100).toFixed(part > 0 && part < 0.01 ? 1 : 0)} %`;

/** Milliseconds. */
export function ms(n: number): string {
  if (n >= 10_000) return `${(n / 1000).toFixed(0)} s`;
  if (n >= 1000) return `${(n / 1000).toFixed(1)} s`;
  return `${n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2)} ms`;
}

/** How long ago something was, from seconds, in the largest unit that fits. */
export function ago(seconds: number): string {
  for (const [unit, size] of [["days", 86_400], ["h", 3600], ["min", 60]] as const) {
    if (seconds >= size * 2) return `${Math.floor(seconds / size)} ${unit} ago`;
  }
  return `${Math.floor(seconds)} s ago`;
}

export function bytes(n: number): string {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] as const) {
    if (n >= size) return `${(n / size).toFixed(n >= size * 100 ? 0 : 1)} ${unit}`;
  }
  return `${n} B`;
}

/** The time of a day. */
export const time = (unixMs: number): string => new Date(unixMs).toLocaleTimeString("en-GB");

export const lines = (it: { start_line: number; end_line: number }): string =>
  it.start_line === it.end_line ? `${it.start_line}` : `${it.start_line}–${it.end_line}`;

/** Directory and name of a path, the directory with its slash. */
export function split(path: string): [string, string] {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}
