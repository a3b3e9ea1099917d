import type { Card } from "../model/card";

const COLOURS = ["#264653", "#2a9d8f", "#e9c46a", "#f4a261", "#e76f51"];

<GONE>function firstLetters(name: string): string {
  return name.slice(0, 2).toUpperCase();
}
</GONE><TYPED>/** `Ann Lee` → `AL`. */
function initialsOf(name: string, most = 2): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words.slice(0, most).map((it) => it[0]?.toUpperCase()).join("");
}
</TYPED>
function colourOf(name: string): string {
  let hash = 7;
  for (const char of name) {
    hash = (hash * 31 + char.charCodeAt(0)) | 0;
  }
  return COLOURS[Math.abs(hash) % COLOURS.length] ?? "#000000";
}

function ring(colour: string, size: number): string {
  const half = size / 2;
  return `<circle cx="${half}" cy="${half}" r="${half - 1}" stroke="${colour}"/>`;
}

function gradient(id: string, from: string, to: string): string {
  return `<linearGradient id="${id}"><stop stop-color="${from}"/><stop stop-color="${to}"/></linearGradient>`;
}

export function stack(names: string[], size: number): string {
  const shifted = names.map((name, place) => {
    const x = place * size * 0.7;
    return `<g transform="translate(${x},0)">${disc(name, size)}</g>`;
  });
  return `<svg>${shifted.join("")}</svg>`;
}

export function overflow(names: string[], most: number, size: number): string {
  const rest = names.length - most;
  const shown = stack(names.slice(0, most), size);
  return rest > 0 ? `${shown}<span class="more">+${rest}</span>` : shown;
}

export function shade(colour: string, factor: number): string {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const dark = channels.map((it) => Math.round(it * factor).toString(16).padStart(2, "0"));
  return `#${dark.join("")}`;
}

export function disc(name: string, size: number): string {
  const text = initialsOf(<CURSOR:>);
  return `<svg width="${size}">${ring(colourOf(name), size)}<text>${text}</text></svg>`;
}
