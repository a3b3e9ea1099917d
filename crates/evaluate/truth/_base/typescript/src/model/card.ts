export type CardId = string;

/** A note on the board. */
export interface Card {
  id: CardId;
  title: string;
  body: string;
  labels: string[];
  assignee?: string;
  dueOn?: Date;
}

export function newCard(id: CardId, title: string): Card {
  return { id, title, body: "", labels: [] };
}

export function isOverdue(card: Card, today: Date): boolean {
  return card.dueOn !== undefined && card.dueOn < today;
}

export function withLabel(card: Card, label: string): Card {
  if (card.labels.includes(label)) {
    return card;
  }
  return { ...card, labels: [...card.labels, label] };
}
