export function ticks(from: number, to: number, most: number): number[] {
  const step = Math.ceil((to - from) / most);
  return Array.from({ length: most }, (_, i) => from + i * step).filter((it) => it <= to);
}
