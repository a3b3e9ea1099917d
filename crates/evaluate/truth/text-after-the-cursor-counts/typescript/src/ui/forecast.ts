import type { Card } from "../model/card";

/** When all will be done. */
export function forecast(cards: Card[], today: Date): string {
  <CURSOR:>
  const worst = sum.plus(margin).atWorst();
  return `${worst} hours at worst, of which ${sum.spread} are guessed`;
}
