/** Shows which release this is; the manifest of the release has its number. */
export function about(release: string): string {
  return `Board ${release}, see the manifest`;
}
