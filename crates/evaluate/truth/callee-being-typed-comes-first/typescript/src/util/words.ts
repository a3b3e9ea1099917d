/** Cuts a text at a word so that it has at most `most` characters, with `…` where something was cut. */
export function shorten(text: string, most: number, ellipsis = "…"): string {
  if (text.length <= most) {
    return text;
  }
  const cut = text.slice(0, most - ellipsis.length);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)) + ellipsis;
}
