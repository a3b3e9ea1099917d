import type { Card } from "../model/card";

const SIZES = { small: 10, large: 18 };

/** The people of a card as chips: small for one, large for several. */
export function renderChips(cards: Card[]): string {
  const people = cards.flatMap((it) => it.assignee ?? []);
  const size = people.length > 1 ? SIZES.large : SIZES.small;
  return people.map((it) => `<i style="font-size:${size}px">${it}</i>`).join("");
}
