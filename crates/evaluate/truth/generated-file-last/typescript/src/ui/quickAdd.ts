import type { ApiClient } from "../api/client";
import { createCard } from "../api/cards";

/** Makes a card from the line that was typed. */
export async function quickAdd(client: ApiClient, line: string): Promise<void> {
  const [title = "", column = "Inbox"] = line.split(" #");
  const card = await createCard(<CURSOR context: src/api/cards.ts:createCard>);
}
