import type { BoardStore } from "../store/boardStore";

/** Wires dragging of cards to the store. */
export function enableDragging(root: HTMLElement, store: BoardStore): void {
  let dragged: { id: string; from: string } | undefined;
  root.addEventListener("dragstart", (event) => {
    const target = event.target as HTMLElement;
    dragged = { id: target.dataset.card ?? "", from: target.dataset.column ?? "" };
  });
  root.addEventListener("drop", (event) => {
    const target = (event.target as HTMLElement).closest<HTMLElement>("[data-column]");
    if (dragged && target) {
      store.moveCard(dragged.id, dragged.from, target.dataset.column ?? "", 0);
    }
    dragged = undefined;
  });
}
