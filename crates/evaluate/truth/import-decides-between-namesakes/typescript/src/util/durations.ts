const UNITS: [string, number][] = [
  ["d", 86400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
];

/** `90061` seconds → `1 d 1 h`; at most `parts` units, the largest first. */
export function formatDuration(seconds: number, parts = 2): string {
  const texts: string[] = [];
  for (const [unit, size] of UNITS) {
    const n = Math.floor(seconds / size);
    seconds -= n * size;
    if (n > 0) {
      texts.push(`${n} ${unit}`);
    }
  }
  return texts.slice(0, parts).join(" ");
}
