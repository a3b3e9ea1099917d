import type { BoardStore } from "../store/boardStore";
import { parseFilter } from "../search/filter";

/** Searches while somebody types; the last text is kept for the next visit. */
export function searchBox(input: HTMLInputElement, store: BoardStore, show: (text: string) => void): void {
  let last = localStorage.getItem("search") ?? "";
  input.value = last;
  input.addEventListener("input", () => {
    if (input.value === last) {
      return;
    }
    last = input.value;
    localStorage.setItem("search", last);
    const filter = parseFilter(last);
    show(filter.words.join(", "));
  });
  store.subscribe(() => show(last));
}
