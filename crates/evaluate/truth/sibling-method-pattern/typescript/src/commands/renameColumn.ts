import type { BoardStore } from "../store/boardStore";
import type { Command } from "./command";

export class RenameColumn implements Command {
  readonly title = "Rename column";

  constructor(private readonly before: string, private readonly after: string) {}

  apply(store: BoardStore): void {
    <CURSOR: src/commands/addCard.ts:AddCard; src/commands/moveCard.ts:MoveCard; src/store/boardStore.ts:BoardStore>
  }
}
