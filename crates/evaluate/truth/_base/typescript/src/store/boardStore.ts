import type { Card, CardId } from "../model/card";
import { type Column, insertAt, without } from "../model/column";

type Listener = () => void;

/** Holds the board and tells listeners of changes. */
export class BoardStore {
  private cards = new Map<CardId, Card>();
  private columns: Column[] = [];
  private listeners = new Set<Listener>();

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  addColumn(name: string, limit?: number): void {
    this.columns.push({ name, limit, cards: [] });
    this.changed();
  }

  addCard(column: string, card: Card): void {
    this.cards.set(card.id, card);
    this.replace(column, (it) => insertAt(it, card.id, it.cards.length));
  }

  moveCard(id: CardId, from: string, to: string, place: number): void {
    this.replace(from, (it) => without(it, id));
    this.replace(to, (it) => insertAt(it, id, place));
  }

  private replace(name: string, change: (column: Column) => Column): void {
    this.columns = this.columns.map((it) => (it.name === name ? change(it) : it));
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) {
      listener();
    }
  }
}
