/** The colour of a label, the same on every board. */
export function colourOfLabel(label: string, palette: string[]): string {
  let sum = 0;
  for (const char of label) {
    sum += char.charCodeAt(0);
  }
  return palette[sum % palette.length] ?? "grey";
}
