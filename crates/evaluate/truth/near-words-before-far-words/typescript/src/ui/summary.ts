import type { Column } from "../model/column";

const THEME = { background: "#ffffff", foreground: "#222222", accent: "#0055aa" };

/** The colour of text on a background: foreground where its luminance is enough contrast, else white. */
export function textColour(background: string): string {
  const luminance = parseInt(background.slice(1), 16) / 0xffffff;
  const contrast = luminance > 0.5 ? 1 : 0;
  return contrast ? THEME.foreground : THEME.background;
}

export function heading(text: string): string {
  return `<h2>${text}</h2>`;
}

export function list(items: string[]): string {
  return `<ul>${items.map((it) => `<li>${it}</li>`).join("")}</ul>`;
}

export function paragraph(text: string): string {
  return `<p>${text}</p>`;
}

export function section(title: string, content: string): string {
  return `<section>${heading(title)}${content}</section>`;
}

export function toggle(id: string, on: boolean): string {
  return `<input type="checkbox" id="${id}"${on ? " checked" : ""}>`;
}

export function details(title: string, content: string): string {
  return `<details><summary>${title}</summary>${content}</details>`;
}

/** `Doing: 1 card`; the singular or plural form, and nothing where zero cards are there. */
export function summary(column: Column): string {
  const n = column.cards.length;
  const singular = "card";
  return `${column.name}: ${<CURSOR: src/util/plural.ts:plural>}`;
}
