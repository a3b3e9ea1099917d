/** Where are we: one of the places that are from here to another. */
export function where(are: string[], from: number, to: number): string {
  const one = are[from] ?? "";
  const another = are[to] ?? "";
  return `${one} … ${another}`;
}
