import type { CardId } from "../model/card";
import type { Column } from "../model/column";
import { moveCard } from "../model/moves";

/** Moves the chosen card to the column on the right. */
export function moveRight(columns: Column[], at: number, card: CardId): Column[] {
  const [from, to] = moveCard(<CURSOR context: src/model/moves.ts:moveCard>);
  return columns.map((it, place) => (place === at ? from : place === at + 1 ? to : it));
}
