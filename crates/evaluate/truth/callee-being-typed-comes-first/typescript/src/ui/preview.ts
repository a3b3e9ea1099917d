import type { Card } from "../model/card";
import { formatDay } from "../util/dates";
import { shorten } from "../util/words";
import { escapeHtml, renderCard } from "./render";

/** A card as a link shows it. */
export function preview(card: Card, today: Date): string {
  const title = escapeHtml(card.title);
  const due = card.dueOn ? formatDay(card.dueOn) : "";
  const body = shorten(<CURSOR: src/util/words.ts:shorten>);
  return `${renderCard(card, today)}<p>${title} ${due}</p>`;
}
