// The reasons of a candidate: which one to show first, and what they say without names and words of the code.

import type { Candidate } from "./data";

/** What a reason says in general, by its code. */
const GENERAL: Readonly<Record<string, string>> = {
  lexical: "has words of the query",
  defines: "defines a name of the query",
  used_at_hole: "defines a name that is used near the cursor",
  imported_name: "defines an imported name that nothing uses yet",
  imported: "imported",
  importer: "uses this file",
  same_directory: "same directory",
  sibling: "sibling of this file",
  recent: "recently open",
  changed: "changed since the last commit",
  head: "head of a file like this one",
};

/** The reason that says most in one line: not the words, if there is another. */
export function mainReason({ reasons, reason_codes }: Candidate): string {
  const at = reason_codes.findIndex((code) => code !== "lexical");
  return reasons[Math.max(at, 0)] ?? "";
}

/** The reasons without names and words of the code. */
export const generalReasons = (it: Candidate): string[] => it.reason_codes.map((code) => GENERAL[code] ?? code);
