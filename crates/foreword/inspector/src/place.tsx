// The prompt at any position in an indexed file.

import { useEffect, useRef, useState } from "preact/hooks";
import { useGet } from "./api";
import type { Files, Options, Trace } from "./data";
import { plural } from "./format";
import { enterList, useRoving } from "./keys";
import { NextList } from "./next";
import { Empty, Path } from "./parts";
import { PlanView } from "./plans";
import { Replay } from "./replay";
import { go, href } from "./route";
import { Waiting } from "./server";
import { type More, TraceView } from "./trace";
import { Workspaces } from "./workspace";

interface Props {
  query: URLSearchParams;
  tab: string;
  options: Options;
}

export function PlaceView({ query, tab, options }: Props) {
  const params = Object.fromEntries(query) as Record<string, string>;
  const open = (tab: string) => go(["place", tab], params);
  return (
    <>
      <PositionForm params={params} options={options} />
      {params["file"] ? <PositionTrace key={JSON.stringify(params)} params={params} tab={tab} open={open} options={options} /> : (
        <Empty>Type a file and a line, as in <code>src/app.py:120</code>, or choose a file above. The prompt is composed as for a cursor at the end of that line.</Empty>
      )}
    </>
  );
}

function PositionForm({ params, options }: { params: Record<string, string>; options: Options }) {
  const { workspace, file, line, column, format = options.format } = params;
  const begun = file ? [file, line, column].filter(Boolean).join(":") : "";
  const [text, set] = useState(begun);
  const { data } = useGet<Files>("/api/files", { workspace, filter: text.split(":")[0], limit: 30 });
  const field = useRef<HTMLInputElement>(null);
  // Whoever opens the view without a place wants to name one.
  useEffect(() => {
    if (!file) field.current?.focus();
  }, [file]);
  const { onKeyDown, item } = useRoving();
  const proposed = file ? [] : (data?.files ?? []);
  const to = (path: string, line: number) => href(["place"], { ...(workspace ? { workspace } : {}), file: path, line: `${Math.max(1, line)}`, format });
  const enter = (event: KeyboardEvent) => {
    // The key that goes to the field is no part of a path, where the field has the focus already.
    if (event.key === "/" && !text) return event.preventDefault();
    if (event.key !== "ArrowDown" || !proposed.length) return;
    event.preventDefault();
    enterList();
  };
  const ask = (more: Record<string, string>) => {
    const [typed = "", line = "1", column] = text.trim().split(":");
    const [only] = proposed.length === 1 ? proposed : [];
    const file = only?.path.includes(typed) ? only.path : typed;
    go(["place"], { ...(workspace ? { workspace } : {}), file, line, ...(column ? { column } : {}), format, ...more });
  };
  return (
    <>
    <form class="tools opener" onSubmit={(event) => (event.preventDefault(), ask({}))}>
      <Workspaces options={options} workspace={workspace} choose={(workspace) => go(["place"], { workspace })} />
      <input ref={field} class="search wide" onKeyDown={enter} placeholder="src/app.py:120" aria-label="File, line and column" value={text} data-search autocomplete="off" spellcheck={false} onInput={(event) => set(event.currentTarget.value)} />
      <select class="field" aria-label="Prompt format" value={format} onChange={(event) => ask({ format: event.currentTarget.value })}>
        {options.formats.map((it) => <option key={it.name} value={it.name}>{it.name}</option>)}
      </select>
      <button class="small">Compose</button>
    </form>
    {proposed.length > 0 && (
      <nav class="proposals" aria-label="Files" onKeyDown={onKeyDown}>
        {proposed.map((it, at) => (
          <a key={it.path} href={to(it.path, it.lines)} {...item(at)}><Path path={it.path} /><span class="quiet">{plural(it.lines, "line")}</span></a>
        ))}
      </nav>
    )}
    {!file && data && proposed.length === 0 && <p class="note">No indexed file has this in its path.</p>}
    </>
  );
}

interface PositionTraceProps {
  params: Record<string, string>;
  tab: string;
  open: (tab: string) => void;
  options: Options;
}

function PositionTrace({ params, tab, open, options }: PositionTraceProps) {
  const { data, error, again } = useGet<Trace>("/api/context", params);
  if (!data) return <Waiting error={error} again={again} />;
  const { workspace } = params;
  const what = { file: data.path, line: data.line, column: data.column, ...(workspace ? { workspace } : {}) };
  const replay: More = { id: "replay", title: "Replay", view: () => <Replay trace={data} what={what} options={options} /> };
  const stored: More = { id: "plan", title: "Plan", view: () => <PlanView options={options} workspace={workspace} file={data.path} /> };
  const next: More = { id: "next", title: "Next edit", view: () => <NextList options={options} workspace={workspace} file={data.path} line={`${data.line}`} /> };
  return <TraceView trace={data} tab={tab} open={open} more={[replay, stored, next]} />;
}
