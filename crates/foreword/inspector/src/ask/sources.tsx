// The evidence of a question: a list beside the answer, each piece with its code.

import { useEffect, useRef } from "preact/hooks";
import { Excerpt } from "../code";
import type { Source } from "../data";
import { plural } from "../format";
import { useRoving } from "../keys";
import { Path } from "../parts";
import { at } from "./answer";

interface Props {
  root: string;
  workspace: string | undefined;
  sources: Source[];
  cited: number[];
  /** The numbers of the pieces that are open. */
  open: ReadonlySet<number>;
  toggle: (n: number) => void;
  /** The piece that a citation has led to; it gets the focus. */
  target: { n: number } | null;
  /** Goes back to the citation. */
  back: () => void;
}

/** Scrolls to a piece: within the list where that scrolls by itself, so that the answer stays where it is. */
function reveal(piece: HTMLElement): void {
  const list = piece.closest("section");
  if (list && list.scrollHeight > list.clientHeight) list.scrollTop += piece.getBoundingClientRect().top - list.getBoundingClientRect().top;
  else piece.scrollIntoView({ block: "start" });
}

export function Sources({ root, workspace, sources, cited, open, toggle, target, back }: Props) {
  const { onKeyDown, item } = useRoving();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const button = target && list.current?.querySelector<HTMLElement>(`[data-source="${target.n}"]`);
    button?.focus({ preventScroll: true });
    const piece = button?.closest("li");
    if (piece) reveal(piece);
  }, [target]);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") return event.preventDefault(), back();
    onKeyDown(event);
  };
  return (
    <section class="sources" aria-label="Evidence">
      <h2>Evidence <span class="quiet">{plural(sources.length, "piece")}{cited.length > 0 && `, ${cited.length} cited`}</span></h2>
      <ol ref={list} class="pieces" aria-label="Evidence, in the order in which one reads it" onKeyDown={press}>
        {sources.map((it, index) => (
          <li key={it.n} class={`piece source ${cited.includes(it.n) ? "cited" : ""}`}>
            <button type="button" class="row" data-source={it.n} aria-expanded={open.has(it.n)} onClick={() => toggle(it.n)} {...item(index)}>
              <span class="number">{it.n}</span>
              <span class="what">
                {it.symbol && <b class="symbol">{it.symbol}</b>}
                <Path path={it.path} at={at(it).slice(it.path.length + 1)} />
              </span>
              <span class="quiet">{it.role}</span>
            </button>
            <p class="first-reason">{it.why.map((it) => it.text).join("; ")}</p>
            {open.has(it.n) && <Excerpt root={root} workspace={workspace} path={it.path} lines={it.cited_lines} />}
          </li>
        ))}
      </ol>
    </section>
  );
}
