// Keyboard: shortcuts for the whole page, and arrow keys in lists.

import { useEffect, useRef, useState } from "preact/hooks";
import { recall, remember } from "./stored";

/** Shortcuts that work in every view; the help lists them. */
export type Keys = Record<string, () => void>;

export const single = { on: () => recall("keys") !== "off", set: (on: boolean) => remember("keys", on ? null : "off") };

const types = (it: EventTarget | null): boolean =>
  it instanceof HTMLElement && (it.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(it.tagName));

/** Handles shortcuts, except while a field has the focus. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      if (!plain || types(event.target) || !single.on() || document.querySelector("dialog[open]")) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

const STEPS: Record<string, (at: number, n: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  j: (at) => at + 1,
  k: (at) => at - 1,
  Home: () => 0,
  End: (_, n) => n - 1,
};

/** A roving tab index: Tab reaches one item of a list, arrow keys the others; the items have `data-item`. */
export function useRoving(across = false) {
  const [current, set] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    const list = event.currentTarget as HTMLElement;
    const sideways: Record<string, string> = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" };
    const key = across ? (sideways[event.key] ?? event.key) : event.key;
    const step = STEPS[key];
    if (!step || types(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...list.querySelectorAll<HTMLElement>("[data-item]")];
    const at = items.findIndex((it) => it.contains(document.activeElement));
    const next = Math.max(0, Math.min(items.length - 1, step(at, items.length)));
    event.preventDefault();
    event.stopPropagation();
    set(next);
    items[next]?.focus();
  };
  const item = (at: number) => ({ "data-item": at, ...(across ? {} : { "data-down": "" }), tabIndex: at === current ? 0 : -1, onFocus: () => set(at) });
  return { onKeyDown, item };
}

/** Focuses the current item of the first list of the view, so that arrow keys work from the start. */
export function enterList(): void {
  document.querySelector<HTMLElement | SVGElement>('main [data-down][tabindex="0"]')?.focus();
}
