import type { Card } from "../model/card";
import type { Column } from "../model/column";
import { Emitter } from "../util/events";
import { formatDay } from "../util/dates";
import { escapeHtml } from "./render";

const PALETTE_OF_THE_OLD_BOARD = [
  "#f94144",
  "#f3722c",
  "#f8961e",
  "#f9c74f",
  "#90be6d",
  "#43aa8b",
  "#577590",
  "#277da1",
];

function colourOf(label: string): string {
  let sum = 0;
  for (const char of label) {
    sum = (sum * 31 + char.charCodeAt(0)) % PALETTE_OF_THE_OLD_BOARD.length;
  }
  return PALETTE_OF_THE_OLD_BOARD[sum] ?? "#000000";
}

function daysBetween(a: Date, b: Date): number {
  return Math.round((b.getTime() - a.getTime()) / 86400000);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

type Events = { zoom: number; select: Card };

export class TimelineView {
  private readonly events = new Emitter<Events>();
  private zoom = 1;
  private selected: Card | undefined;

  constructor(private readonly first: Date, private readonly last: Date) {}

  onZoom(handler: (zoom: number) => void): void {
    this.events.on("zoom", handler);
  }

  onSelect(handler: (card: Card) => void): void {
    this.events.on("select", handler);
  }

  zoomTo(zoom: number): void {
    this.zoom = clamp(zoom, 0.25, 8);
    this.events.emit("zoom", this.zoom);
  }

  select(card: Card): void {
    this.selected = card;
    this.events.emit("select", card);
  }

  widthOf(days: number): number {
    return days * 24 * this.zoom;
  }

  leftOf(card: Card): number {
    const due = card.dueOn ?? this.last;
    return this.widthOf(clamp(daysBetween(this.first, due), 0, this.length()));
  }

  length(): number {
    return daysBetween(this.first, this.last);
  }

  background(): string {
    const stripes: string[] = [];
    for (let day = 0; day < this.length(); day += 7) {
      stripes.push(`<rect x="${this.widthOf(day)}" width="${this.widthOf(1)}" class="sunday"/>`);
    }
    return stripes.join("");
  }

  bar(card: Card): string {
    const colours = card.labels.map(colourOf);
    const style = `left:${this.leftOf(card)}px;background:${colours[0] ?? "#999"}`;
    const mark = card === this.selected ? " selected" : "";
    return `<div class="bar${mark}" style="${style}">${escapeHtml(card.title)}</div>`;
  }

  lane(column: Column, cards: Card[]): string {
    return `<section><h2>${escapeHtml(column.name)}</h2>${cards.map((it) => this.bar(it)).join("")}</section>`;
  }

  axis(): string {
    const start = formatDay(this.first);
    const end = <CURSOR:>
    return `<header><time>${start}</time></header>`;
  }
}
