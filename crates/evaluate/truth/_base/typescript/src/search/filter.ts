import type { Card } from "../model/card";

export interface Filter {
  words: string[];
  label?: string;
  assignee?: string;
}

/** Reads `fix login label:bug @ann`. */
export function parseFilter(text: string): Filter {
  const filter: Filter = { words: [] };
  for (const part of text.split(/\s+/).filter(Boolean)) {
    if (part.startsWith("label:")) {
      filter.label = part.slice("label:".length);
    } else if (part.startsWith("@")) {
      filter.assignee = part.slice(1);
    } else {
      filter.words.push(part.toLowerCase());
    }
  }
  return filter;
}

export function matches(card: Card, filter: Filter): boolean {
  const text = `${card.title} ${card.body}`.toLowerCase();
  return (
    filter.words.every((it) => text.includes(it)) &&
    (filter.label === undefined || card.labels.includes(filter.label)) &&
    (filter.assignee === undefined || card.assignee === filter.assignee)
  );
}
