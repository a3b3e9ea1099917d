import { escapeHtml } from "./render";
import { formatDuration } from "../util/durations";
import type { Card } from "../model/card";

/** What the mouse shows over a card. */
export function tooltip(card: Card, secondsOpen: number): string {
  const title = escapeHtml(card.title);
  return `${title}: open for ${formatDuration(<CURSOR: src/util/durations.ts:formatDuration>)}`;
}
