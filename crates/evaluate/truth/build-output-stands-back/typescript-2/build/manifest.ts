import { writeFileSync } from "node:fs";

/** Writes the manifest of a release: its files with their sizes. */
export function writeManifest(path: string, files: Map<string, number>): void {
  const lines = [...files].map(([name, size]) => `${name} ${size}`);
  writeFileSync(path, lines.sort().join("\n") + "\n");
}
