import { addDays } from "../util/dates";
import type { Card } from "./card";

/** Sets the day on which a card is due. */
export function schedule(card: Card, on: Date): Card;
/** Sets it relative to another day. */
export function schedule(card: Card, inDays: number, from: Date): Card;
export function schedule(card: Card, on: Date | number, from?: Date): Card {
  const dueOn = typeof on === "number" ? addDays(from ?? new Date(), on) : on;
  return { ...card, dueOn };
}

export function unschedule(card: Card): Card {
  const { dueOn: _, ...rest } = card;
  return rest;
}
