import type { Column } from "../model/column";

/** Counts by column, stacked. */
export function cumulativeFlow(columns: Column[]): number[] {
  let sum = 0;
  return columns.map((it) => (sum += it.cards.length));
}
