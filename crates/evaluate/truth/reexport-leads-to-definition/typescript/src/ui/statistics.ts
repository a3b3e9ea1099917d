import type { Card } from "../model/card";
import { burndown } from "../charts";

export function renderBurndown(cards: Card[], done: Map<string, Date>, first: Date, last: Date): string {
  const points = burndown(<CURSOR: src/charts/burndown.ts:burndown>);
  return points.map((it) => `${it.left}`).join(",");
}
