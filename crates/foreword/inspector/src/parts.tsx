// Small components that many views use.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Candidate, Stage } from "./data";
import { lines, ms, split } from "./format";
import { useRoving } from "./keys";

/** How many pieces have colours of their own. */
const HUES = 10;

export const hue = (piece: number): string => `hue h${piece % HUES}`;

export function Path({ path, at }: { path: string; at?: string | number }) {
  const [directory, name] = split(path);
  return (
    <span class="path">
      <span class="directory">{directory.split("/").map((it, at, all) => (at + 1 < all.length ? <>{it}/<wbr /></> : null))}</span>
      <span class="name">{name}</span>
      {at !== undefined && <span class="at">:{at}</span>}
    </span>
  );
}

/** A value, with the name of what it is unless that is plain. */
export function Chip({ children, kind = "", name }: { children: ComponentChildren; kind?: string; name?: string }) {
  return <span class={`chip ${kind}`}>{name && <span class="quiet">{name} </span>}{children}</span>;
}

/** The ranks of a candidate from stage to stage, in one line. */
export function Ranks({ it, place }: { it: Candidate; place?: number }) {
  return (
    <p class="way">
      {it.ranks.map(({ signal, rank }) => <span key={signal} class="signal">{signal} <b>{rank}</b></span>)}
      <span class="arrow" aria-hidden="true">→</span><span>merged <b>{it.fused}</b></span>
      <span class="arrow" aria-hidden="true">→</span><span>final <b>{it.reranked}</b></span>
      {place !== undefined && (
        <><span class="arrow" aria-hidden="true">→</span><span>place <b>{place + 1}</b></span></>
      )}
    </p>
  );
}

export function Reasons({ it }: { it: Candidate }) {
  return (
    <ul class="reasons">
      {it.reasons.map((text, at) => <li key={at}>{text}</li>)}
      {it.factors.map(({ what, factor }, at) => (
        <li key={at} class={factor >= 1 ? "up" : "down"}>{what} <b>×{factor.toFixed(2)}</b></li>
      ))}
    </ul>
  );
}

export const place = (it: Candidate) => <Path path={it.path} at={lines(it)} />;

/** The colour of a stage among so many: hues all around the circle, neighbours of different lightness. */
const stageColour = (at: number, n: number) => ({ "--h": `${Math.round((360 * at) / n + 250) % 360}`, "--step": `${at % 3}` });

/** The stages of an answer, one after another. */
export function TimeBar({ stages }: { stages: Stage[] }) {
  const total = stages.reduce((sum, it) => sum + it.ms, 0);
  return (
    <div class="meter">
      <p class="meter-title"><b>{ms(total)}</b> <span class="quiet">· {stages.length} stages</span></p>
      <div class="bar time" role="img" aria-label={stages.map((it) => `${it.stage} ${ms(it.ms)}`).join(", ")}>
        {stages.map((it, at) => (
          <span key={at} class="stage" style={{ ...stageColour(at, stages.length), flexGrow: it.ms }} title={`${it.stage}: ${ms(it.ms)}`} />
        ))}
      </div>
      <ul class="legend">
        {stages.map((it, at) => (
          <li key={at}><i class="stage" style={stageColour(at, stages.length)} /> {it.stage} <span class="quiet">{ms(it.ms)}</span></li>
        ))}
      </ul>
    </div>
  );
}

export interface Tab {
  id: string;
  title: string;
  note?: string;
}

/** Tabs: arrows go from one to the next. */
export function Tabs({ tabs, current, open, name }: { tabs: Tab[]; current: string; open: (id: string) => void; name: string }) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((it) => it.id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    open(next.id);
    requestAnimationFrame(() => document.getElementById(`tab-${next.id}`)?.focus());
  };
  // On a small screen it may be out of view.
  useEffect(() => document.getElementById(`tab-${current}`)?.scrollIntoView({ block: "nearest", inline: "nearest" }), [current]);
  return (
    <div class="tabs" role="tablist" aria-label={name} onKeyDown={move}>
      {tabs.map((it) => (
        <button
          key={it.id}
          id={`tab-${it.id}`}
          type="button"
          role="tab"
          aria-selected={it.id === current}
          aria-controls="panel"
          tabIndex={it.id === current ? 0 : -1}
          onClick={() => open(it.id)}
        >
          {it.title}{it.note && <span class="quiet"> {it.note}</span>}
        </button>
      ))}
    </div>
  );
}

export interface Choice {
  id: string;
  title?: string;
  n: number;
}

/** Chips, one or none of which is selected. */
export function Filter({ choices, chosen, choose, name }: { choices: Choice[]; chosen: string; choose: (id: string) => void; name: string }) {
  const { onKeyDown, item } = useRoving(true);
  return (
    <div class="filter" role="group" aria-label={name} onKeyDown={onKeyDown}>
      {choices.map((it, at) => (
        <button
          key={it.id}
          type="button"
          class="chip"
          aria-pressed={it.id === chosen}
          onClick={() => choose(it.id === chosen ? "" : it.id)}
          {...item(at)}
        >
          {it.title ?? it.id} <span class="quiet">{it.n}</span>
        </button>
      ))}
    </div>
  );
}

/** A filter field. `/` focuses it. */
export function Search({ value, set, name }: { value: string; set: (text: string) => void; name: string }) {
  return (
    <input
      class="search"
      type="search"
      placeholder={name}
      aria-label={name}
      value={value}
      data-search
      onInput={(event) => set(event.currentTarget.value)}
      onKeyDown={(event) => event.key === "Escape" && (set(""), event.currentTarget.blur())}
    />
  );
}

/** The size of an element, as it changes. */
export function useSize<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [size, set] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) set({ width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) });
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}

/** A text to copy, with a button that does. */
export function Copyable({ text, name }: { text: string; name: string }) {
  const [done, set] = useState(false);
  const copy = () => void navigator.clipboard?.writeText(text).then(() => set(true), () => set(false));
  return (
    <div class="copyable">
      <pre class="raw" tabIndex={0} aria-label={name}>{text}</pre>
      <button type="button" class="small" onClick={copy}>{done ? "copied" : "copy"}</button>
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
