import { type Card, newCard } from "../model/card";
import type { ApiClient } from "./client";

/** Sends the request that makes a card, and returns the card as the server has it. */
export async function createCard(client: ApiClient, title: string, column: string): Promise<Card> {
  const created = await client.post<{ id: string }>("/cards", { title, column });
  return newCard(created.id, title);
}
