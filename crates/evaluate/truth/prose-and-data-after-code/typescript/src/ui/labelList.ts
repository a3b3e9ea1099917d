import { colourOfLabel } from "./labels";

/** All labels of a board, each in its colour. */
export function labelList(labels: string[], palette: string[]): string {
  const item = (label: string) => {
    const colour = colourOfLabel(<CURSOR context: src/ui/labels.ts:colourOfLabel>);
    return `<li style="color:${colour}">${label}</li>`;
  };
  return labels.map(item).join("");
}
