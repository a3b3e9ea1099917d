/** `1 card`, `2 cards`; `nothing` for zero where it is given. */
export function plural(n: number, singular: string, manyForm = `${singular}s`, nothing?: string): string {
  if (n === 0 && nothing !== undefined) {
    return nothing;
  }
  return `${n} ${n === 1 ? singular : manyForm}`;
}
