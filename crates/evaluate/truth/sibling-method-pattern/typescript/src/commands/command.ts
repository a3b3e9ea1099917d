import type { BoardStore } from "../store/boardStore";

/** Something that can be undone. */
export interface Command {
  readonly title: string;
  apply(store: BoardStore): void;
  revert(store: BoardStore): void;
}
