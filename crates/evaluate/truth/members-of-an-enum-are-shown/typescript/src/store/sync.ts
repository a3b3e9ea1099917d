import type { Card } from "../model/card";
import { SyncState } from "../model/syncState";

/** Cards that must be sent. */
export function toSend(cards: Card[], states: Map<string, SyncState>): Card[] {
  return cards.filter((it) => {
    const state = states.get(it.id) ?? SyncState.Clean;
    return state === SyncState.<CURSOR: src/model/syncState.ts:SyncState>
  });
}
