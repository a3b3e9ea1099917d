import type { CardId } from "../model/card";
import type { BoardStore } from "../store/boardStore";
import type { Command } from "./command";

export class MoveCard implements Command {
  readonly title = "Move card";

  constructor(
    private readonly id: CardId,
    private readonly from: string,
    private readonly to: string,
  ) {}

  apply(store: BoardStore): void {
    store.moveCard(this.id, this.from, this.to, 0);
  }

  revert(store: BoardStore): void {
    store.moveCard(this.id, this.to, this.from, 0);
  }
}
