import type { Card } from "./card";

export interface PriorityWeights {
  overdue: number;
  blocked: number;
  age: number;
}

/** How urgent a card is, from 0 up; equal cards keep their order. */
export function urgencyOf(card: Card, today: Date, weights: PriorityWeights): number {
  const late = card.dueOn && card.dueOn < today ? weights.overdue : 0;
  const blocked = card.labels.includes("blocked") ? weights.blocked : 0;
  return late + blocked;
}
