import { type Card, isOverdue } from "../model/card";
import type { Column } from "../model/column";
import { formatDay } from "../util/dates";

export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

export function renderCard(card: Card, today: Date): string {
  const mark = isOverdue(card, today) ? " overdue" : "";
  const due = card.dueOn ? `<time>${formatDay(card.dueOn)}</time>` : "";
  const labels = card.labels.map((it) => `<span class="label">${escapeHtml(it)}</span>`);
  return `<li class="card${mark}"><h3>${escapeHtml(card.title)}</h3>${labels.join("")}${due}</li>`;
}

export function renderColumn(column: Column, cards: Card[], today: Date): string {
  const items = cards.map((it) => renderCard(it, today)).join("\n");
  return `<section><h2>${escapeHtml(column.name)}</h2><ul>\n${items}\n</ul></section>`;
}
