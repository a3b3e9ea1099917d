import type { Card } from "./card";

export type Lane = { key: string; title: string };

/** The lane that a card belongs to, by its first label that begins with `lane:`. */
export function laneOf(card: Card, lanes: Lane[]): Lane | undefined {
  const label = card.labels.find((it) => it.startsWith("lane:"));
  return lanes.find((it) => `lane:${it.key}` === label);
}
