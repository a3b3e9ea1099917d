import type { Card } from "../model/card";

export type BurndownPoint = { day: Date; left: number };

/** Cards that are left on each day between two days, both included. */
export function burndown(cards: Card[], done: Map<string, Date>, first: Date, last: Date): BurndownPoint[] {
  const points: BurndownPoint[] = [];
  for (let day = first; day <= last; day = new Date(day.getTime() + 86400000)) {
    const left = cards.filter((it) => (done.get(it.id) ?? last) > day).length;
    points.push({ day, left });
  }
  return points;
}
