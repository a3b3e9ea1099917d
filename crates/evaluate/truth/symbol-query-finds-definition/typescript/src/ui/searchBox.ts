import { type Filter, parseFilter } from "../search/filter";

/** Calls back with the filter whenever the text changes. */
export function searchBox(input: HTMLInputElement, changed: (filter: Filter) => void): void {
  let before = "";
  input.addEventListener("input", () => {
    if (input.value !== before) {
      before = input.value;
      changed(parseFilter(input.value));
    }
  });
}
