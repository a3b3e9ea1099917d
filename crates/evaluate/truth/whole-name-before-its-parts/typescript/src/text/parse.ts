/** Parses a number; a filter for digits comes first. */
export function parseNumber(text: string): number {
  return Number(filterDigits(text));
}

/** Filters digits: a filter for what is parsed. */
export function filterDigits(text: string): string {
  return text.replace(/[^0-9.-]/g, "");
}

export function parseList(text: string, filter: (part: string) => boolean): string[] {
  return text.split(",").filter(filter);
}
