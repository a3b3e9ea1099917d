import type { CardId } from "./card";

/** A column of a board, with its cards from top to bottom. */
export interface Column {
  name: string;
  limit?: number;
  cards: CardId[];
}

export class ColumnFull extends Error {
  constructor(readonly column: Column) {
    super(`${column.name} takes ${column.limit} cards at the most`);
  }
}

export function insertAt(column: Column, card: CardId, place: number): Column {
  if (column.limit !== undefined && column.cards.length >= column.limit) {
    throw new ColumnFull(column);
  }
  const cards = [...column.cards];
  cards.splice(place, 0, card);
  return { ...column, cards };
}

export function without(column: Column, card: CardId): Column {
  return { ...column, cards: column.cards.filter((it) => it !== card) };
}
