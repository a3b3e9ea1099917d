import type { Emitter } from "../util/events";

type HistoryEvents = { undo: string; redo: string };

export class History {
  private done: string[] = [];

  constructor(private readonly events: Emitter<HistoryEvents>) {}

  undo(): void {
    const title = this.done.pop();
    if (title !== undefined) {
      this.events.<CURSOR: src/util/events.ts:Emitter>
    }
  }
}
