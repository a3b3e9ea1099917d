// The frame around every view: name, navigation, theme and help.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { enterList, single, useKeys } from "./keys";
import { go, href } from "./route";
import { recall, remember } from "./stored";

export interface View {
  id: string;
  title: string;
}

interface Props {
  views: View[];
  current: string;
  children: ComponentChildren;
}

export function Frame({ views, current, children }: Props) {
  const help = useRef<HTMLDialogElement>(null);
  const [theme, nextTheme] = useTheme();
  const numbered = views.map((it, at) => [String(at + 1), () => go([it.id])] as const);
  useKeys({
    ...Object.fromEntries(numbered),
    "?": () => help.current?.showModal(),
    "/": () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
    t: nextTheme,
    ...Object.fromEntries(["j", "k", "ArrowDown", "ArrowUp"].map((it) => [it, enterList] as const)),
    "[": () => switchTab(-1),
    "]": () => switchTab(1),
  });
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>To the content</a>
      <header class="top">
        <a class="wordmark" href={views[0] ? href([views[0].id]) : "#/"}>foreword</a>
        <nav aria-label="Views">
          {views.map((it, at) => (
            <a key={it.id} href={href([it.id])} aria-current={it.id === current ? "page" : undefined}>
              {it.title}<kbd>{at + 1}</kbd>
            </a>
          ))}
        </nav>
        <button type="button" class="small" onClick={nextTheme} title="Light, dark, or as the system (t)">{theme}</button>
        <button type="button" class="small" onClick={() => help.current?.showModal()} title="Keys (?)" aria-label="Keys">?</button>
      </header>
      <main id="main" tabIndex={-1}>{children}</main>
      <Help dialog={help} views={views} />
    </>
  );
}

function switchTab(step: number): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.findIndex((it) => it.getAttribute("aria-selected") === "true");
  tabs[(at + step + tabs.length) % tabs.length]?.click();
}

const THEMES = ["auto", "light", "dark"];

function useTheme(): [string, () => void] {
  const [theme, set] = useState(recall("theme") ?? "auto");
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    remember("theme", theme === "auto" ? null : theme);
  }, [theme]);
  return [theme, () => set(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto")];
}

/** What the keys do; docs/inspector.md has the same table. */
const KEYS: [string, string][] = [
  ["/", "filter, or the question"],
  ["j k ↓ ↑", "next, previous in a list"],
  ["Home End", "first, last in a list"],
  ["Enter", "open"],
  ["[ ] ← →", "previous, next tab"],
  ["Esc", "empty the filter, close, stop an answer, back to a citation"],
  ["t", "light, dark, as the system"],
  ["?", "this help"],
];

function Help({ dialog, views }: { dialog: { current: HTMLDialogElement | null }; views: View[] }) {
  const [on, set] = useState(single.on());
  const change = (on: boolean) => {
    single.set(on);
    set(on);
  };
  const of = views.map((it, at): [string, string] => [String(at + 1), it.title]);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {[...of, ...KEYS].map(([key, what]) => (
          <div key={key}>
            <dt>{key.split(" ").map((it) => <kbd key={it}>{it}</kbd>)}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label><input type="checkbox" checked={on} onChange={(event) => change(event.currentTarget.checked)} /> Single keys do this</label>
      <form method="dialog"><button class="small">Close</button></form>
    </dialog>
  );
}
