import type { Card } from "../model/card";

/** How long a card waited, for the tooltip of a card. */
export function formatDuration(card: Card, today: Date): string {
  if (!card.dueOn) {
    return "";
  }
  const days = Math.round((card.dueOn.getTime() - today.getTime()) / 86400000);
  return days < 0 ? `${-days} days late` : `in ${days} days`;
}

export function formatLabels(card: Card): string {
  return card.labels.join(", ");
}
