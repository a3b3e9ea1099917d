/** A label as it is stored. */
export function normaliseLabel(label: string, most = 20): string {
  return label.trim().toLowerCase().replace(/\s+/g, "-").slice(0, most);
}
