// The prompt at any position in an indexed file.

import { useState } from "preact/hooks";
import { useGet } from "./api";
import type { Files, Options, Trace } from "./data";
import { Empty } from "./parts";
import { Replay } from "./replay";
import { go } from "./route";
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
        <Empty>Name a file of the repository and a line: <code>src/app.py:120</code>. The prompt is composed as for a cursor there.</Empty>
      )}
    </>
  );
}

function PositionForm({ params, options }: { params: Record<string, string>; options: Options }) {
  const { workspace, file, line, column, format = options.format } = params;
  const begun = file ? [file, line, column].filter(Boolean).join(":") : "";
  const [text, set] = useState(begun);
  const { data } = useGet<Files>("/api/files", { workspace, filter: text.split(":")[0], limit: 30 });
  const ask = (more: Record<string, string>) => {
    const [file = "", line = "1", column] = text.trim().split(":");
    go(["place"], { ...(workspace ? { workspace } : {}), file, line, ...(column ? { column } : {}), format, ...more });
  };
  return (
    <form class="tools opener" onSubmit={(event) => (event.preventDefault(), ask({}))}>
      <Workspaces options={options} workspace={workspace} choose={(workspace) => go(["place"], { workspace })} />
      <input class="search wide" list="files" placeholder="src/app.py:120" aria-label="File, line and column" value={text} data-search autocomplete="off" spellcheck={false} onInput={(event) => set(event.currentTarget.value)} />
      <datalist id="files">{data?.files.map((it) => <option key={it.path} value={`${it.path}:${it.lines}`} />)}</datalist>
      <select class="field" aria-label="Prompt format" value={format} onChange={(event) => ask({ format: event.currentTarget.value })}>
        {options.formats.map((it) => <option key={it.name} value={it.name}>{it.name}</option>)}
      </select>
      <button class="small">Compose</button>
    </form>
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
  return <TraceView trace={data} tab={tab} open={open} more={[replay]} />;
}
