import type { Card } from "../model/card";
import { urgencyOf } from "../model/priority";

export function byUrgency(cards: Card[], today: Date): Card[] {
  const urgency = new Map(cards.map((it) => [it.id, urgencyOf(<CURSOR: src/model/priority.ts:urgencyOf>)]));
  return [...cards].sort((a, b) => (urgency.get(b.id) ?? 0) - (urgency.get(a.id) ?? 0));
}
