import type { Card } from "../model/card";
import { withLabel } from "../model/card";
import { normaliseLabel } from "../../web/labels";

/** Adds what was typed as a label. */
export function addTyped(card: Card, typed: string): Card {
  const label = normaliseLabel(<CURSOR: web/labels.ts:normaliseLabel>);
  return withLabel(card, label);
}
