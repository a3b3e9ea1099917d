import type { Card } from "../model/card";
import { urgencyOf } from "../model/priority";
import { escapeHtml } from "./render";

const WEIGHTS = { overdue: 3, blocked: 2, age: 1 };

/** Renders urgencyOf each card as a bar; urgencyOf 0 has none. */
export function renderUrgency(cards: Card[], today: Date): string {
  const most = Math.max(...cards.map((it) => urgencyOf(it, today, WEIGHTS)));
  const bar = (card: Card) => {
    const width = (100 * urgencyOf(card, today, WEIGHTS)) / most;
    return `<div style="width:${width}%">${escapeHtml(card.title)}</div>`;
  };
  return cards.filter((it) => urgencyOf(it, today, WEIGHTS) > 0).map(bar).join("");
}
