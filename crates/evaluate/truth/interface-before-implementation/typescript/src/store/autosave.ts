import type { StorageBackend } from "../storage/backend";
import type { BoardStore } from "./boardStore";

/** Writes the board to the backend after each change. */
export function autosave(store: BoardStore, backend: StorageBackend, toText: (store: BoardStore) => string): void {
  store.subscribe(() => {
    void backend.write(<CURSOR: src/storage/backend.ts:StorageBackend>);
  });
}
