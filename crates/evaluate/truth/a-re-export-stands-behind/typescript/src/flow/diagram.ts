import { flowBand } from "./band";

export type CumulativeFlow = { day: string; counts: number[] };

/** How many cards were in each column by the end of each day. */
export function cumulativeFlow(days: string[], columns: string[][]): CumulativeFlow[] {
  return days.map((day) => ({ day, counts: columns.map((column) => flowBand(column, day)) }));
}
