import type { Card } from "../model/card";
import type { BoardStore } from "../store/boardStore";
import type { Command } from "./command";

export class AddCard implements Command {
  readonly title = "Add card";

  constructor(private readonly column: string, private readonly card: Card) {}

  apply(store: BoardStore): void {
    store.addCard(this.column, this.card);
  }

  revert(store: BoardStore): void {
    store.removeCard(this.column, this.card.id);
  }
}
