import type { Card } from "../model/card";
import type { Column } from "../model/column";
import { renderColumn } from "./render";

export interface BoardView {
  columns: Column[];
  cards: Map<string, Card>;
}

function cardsOf(view: BoardView, column: Column): Card[] {
  return column.cards.flatMap((it) => view.cards.get(it) ?? []);
}

<TYPED>function groupByLane(cards: Card[], lanes: Lane[]): Map<Lane | undefined, Card[]> {
  return Map.groupBy(cards, (it) => laneOf(it, lanes));
}

</TYPED>function countOf(view: BoardView, column: Column): string {
  const limit = column.limit === undefined ? "" : ` of ${column.limit}`;
  return `${column.cards.length}${limit}`;
}

/** The tabs over the board. */
export function renderTabs(names: string[], chosen: string): string {
  const tab = (name: string) => {
    const mark = name === chosen ? ' aria-selected="true"' : "";
    return `<button role="tab"${mark}>${name}</button>`;
  };
  return `<div role="tablist">${names.map(tab).join("")}</div>`;
}

/** The line under the board. */
export function renderStatus(view: BoardView): string {
  const counts = view.columns.map((it) => `${it.name}: ${countOf(view, it)}`);
  return `<footer>${counts.join(" · ")}</footer>`;
}

export function renderBoard(view: BoardView, today: Date): string {
  const columns = view.columns.map((it) => {
    const cards = cardsOf(view, it);
    <CURSOR:>
    return renderColumn(it, cards, today);
  });
  return `<main>${columns.join("\n")}</main>`;
}
