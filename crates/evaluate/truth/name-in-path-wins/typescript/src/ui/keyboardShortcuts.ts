import type { BoardStore } from "../store/boardStore";

type Action = (store: BoardStore) => void;

const ACTIONS = new Map<string, Action>();

export function bind(key: string, action: Action): void {
  ACTIONS.set(key, action);
}

export function listen(root: HTMLElement, store: BoardStore): void {
  root.addEventListener("keydown", (event) => {
    const modifiers = `${event.ctrlKey ? "ctrl+" : ""}${event.shiftKey ? "shift+" : ""}`;
    ACTIONS.get(modifiers + event.key.toLowerCase())?.(store);
  });
}
