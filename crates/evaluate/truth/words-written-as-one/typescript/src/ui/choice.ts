import { escapeHtml } from "./render";

/** A list that opens when it is clicked. */
export function renderDropDown(name: string, options: string[], chosen?: string): string {
  const option = (it: string) => {
    const mark = it === chosen ? " selected" : "";
    return `<option${mark}>${escapeHtml(it)}</option>`;
  };
  return `<select name="${name}">${options.map(option).join("")}</select>`;
}
