import type { Card } from "../model/card";
import { renderBadge } from "./badge";

/** A badge for each label, with how often it is used. */
export function renderLegend(cards: Card[]): string {
  const counts = new Map<string, number>();
  for (const label of cards.flatMap((it) => it.labels)) {
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const badges = [...counts.keys()].map((label) => {
    return renderBadge(label, { size: "small", count: counts.get(label) ?? 0 });
  });
  return badges.join(" ");
}
