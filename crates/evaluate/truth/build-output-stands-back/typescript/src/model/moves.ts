import type { CardId } from "./card";
import { type Column, insertAt, without } from "./column";

/** Moves a card to another column, to the end of it. */
export function moveCard(from: Column, to: Column, card: CardId): [Column, Column] {
  return [without(from, card), insertAt(to, card, to.cards.length)];
}

/** Moves a card within its column. */
export function shiftCard(column: Column, card: CardId, place: number): Column {
  return insertAt(without(column, card), card, place);
}
