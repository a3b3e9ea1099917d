// What is indexed, and which rule excludes the rest.

import { useState } from "preact/hooks";
import { useGet } from "./api";
import type { Files, Ignored, Index, Options } from "./data";
import { bytes, count, plural } from "./format";
import { useRoving } from "./keys";
import { Chip, Empty, Filter, Path, Search, Tabs } from "./parts";
import { PlansView } from "./coverage";
import { go, href } from "./route";
import { Waiting } from "./server";
import { Workspaces } from "./workspace";

interface Props {
  options: Options;
  workspace: string | undefined;
  tab: string;
}

const LIMIT = 500;

export function IndexView({ options, workspace, tab }: Props) {
  const { data, error, again } = useGet<Index>("/api/index", { workspace });
  const query = workspace ? { workspace } : {};
  const left = data?.left_out.reduce((sum, it) => sum + it.paths, 0) ?? 0;
  const tabs = [
    { id: "in", title: "In the index", note: data ? count(data.files) : "" },
    { id: "out", title: "Left out", note: data ? count(left) : "" },
    { id: "plans", title: "Plans" },
  ];
  return (
    <section class="index">
      <div class="tools">
        <h1>{data?.repository ?? "Index"}</h1>
        <Workspaces options={options} workspace={workspace} choose={(workspace) => go(["index", tab], { workspace })} />
        <button type="button" class="small" onClick={again}>Look again</button>
      </div>
      {!data && <Waiting error={error} again={again} />}
      {data && <About it={data} />}
      <Tabs tabs={tabs} current={tab} open={(id) => go(["index", id], query)} name="In or out" />
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "out" && <ExcludedFiles workspace={workspace} />}
        {tab === "plans" && <PlansView workspace={workspace} />}
        {tab !== "out" && tab !== "plans" && <IndexedFiles workspace={workspace} index={data} />}
      </div>
    </section>
  );
}

function About({ it }: { it: Index }) {
  const { changed, added, removed } = it.stale;
  const at = it.git ? it.git.branch ?? it.git.head ?? "no commit yet" : "no git";
  const rows: [string, string][] = [
    ["root", it.root],
    ["git", at],
    ["in it", `${plural(it.files, "file")}, ${plural(it.lines, "line")}, ${bytes(it.bytes)}, ${plural(it.chunks, "chunk")}`],
    ["index", `${bytes(it.index_bytes)} in ${plural(it.segments, "segment")}, ${it.index}`],
    ["written since", changed + added + removed ? `${changed} changed, ${added} new, ${removed} gone` : "nothing"],
  ];
  return (
    <>
      <p class="chips">
        <Chip kind={it.fresh ? "good" : "warn"}>{it.fresh ? "fresh" : "not fresh"}</Chip>
        <Chip kind={it.complete ? "good" : "warn"}>{it.complete ? "complete" : "incomplete"}</Chip>
        {it.indexing && <Chip kind="warn">indexing {count(it.indexing[0])} of {count(it.indexing[1])}</Chip>}
        {it.snapshot && <Chip><span class="quiet">snapshot</span> {it.snapshot.slice(0, 8)}</Chip>}
      </p>
      {it.trouble && <p class="note">{it.trouble}</p>}
      <dl class="facts wide">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <Languages it={it} />
    </>
  );
}

function Languages({ it }: { it: Index }) {
  const all = it.languages.slice(0, 12);
  const rest = it.languages.slice(12).reduce((sum, it) => sum + it.files, 0);
  const shown = rest ? [...all, { language: "others", files: rest }] : all;
  return (
    <div class="meter">
      <div class="bar time" role="img" aria-label={shown.map((it) => `${it.language} ${it.files}`).join(", ")}>
        {shown.map((it, at) => <span key={it.language} class={`hue h${at % 10}`} style={{ flexGrow: it.files }} title={`${it.language}: ${plural(it.files, "file")}`} />)}
      </div>
      <ul class="legend">{shown.map((it, at) => <li key={it.language}><i class={`hue h${at % 10}`} /> {it.language} <span class="quiet">{count(it.files)}</span></li>)}</ul>
    </div>
  );
}

function IndexedFiles({ workspace, index }: { workspace: string | undefined; index: Index | null }) {
  const [text, setText] = useState("");
  const [language, setLanguage] = useState("");
  const { data, error } = useGet<Files>("/api/files", { workspace, filter: text, language, limit: LIMIT });
  const { onKeyDown, item } = useRoving();
  const choices = index?.languages.slice(0, 8).map((it) => ({ id: it.language, n: it.files })) ?? [];
  const open = (path: string, lines: number) => href(["place"], { ...(workspace ? { workspace } : {}), file: path, line: `${Math.max(1, lines >> 1)}` });
  return (
    <>
      <div class="tools">
        <Search value={text} set={setText} name="Filter by path" />
        <Filter choices={choices} chosen={language} choose={setLanguage} name="Filter by language" />
      </div>
      {!data && <Waiting error={error} />}
      {data && (
        <div class="scroll">
          <table class="list cards" onKeyDown={onKeyDown}>
            <thead><tr><th scope="col">file</th><th scope="col">language</th><th scope="col" class="number">lines</th><th scope="col" class="number">size</th><th scope="col" class="number">chunks</th></tr></thead>
            <tbody>
              {data.files.map((it, at) => (
                <tr key={it.path}>
                  <th scope="row"><a href={open(it.path, it.lines)} {...item(at)}><Path path={it.path} /></a></th>
                  <td data-name="language">{it.language}</td>
                  <td class="number" data-name="lines">{count(it.lines)}</td>
                  <td class="number" data-name="size">{bytes(it.bytes)}</td>
                  <td class="number" data-name="chunks">{it.chunks}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Truncation shown={data.files.length} total={data.total} />
        </div>
      )}
    </>
  );
}

function ExcludedFiles({ workspace }: { workspace: string | undefined }) {
  const [text, setText] = useState("");
  const [code, setCode] = useState("");
  const { data, error } = useGet<Ignored>("/api/ignored", { workspace, filter: text, code, limit: LIMIT });
  const choices = data?.codes.map((it) => ({ id: it.code, n: it.paths })) ?? [];
  const { onKeyDown, item } = useRoving();
  return (
    <>
      <div class="tools">
        <Search value={text} set={setText} name="Filter by path or rule" />
        <Filter choices={choices} chosen={code} choose={setCode} name="Filter by reason" />
      </div>
      {!data && <Waiting error={error} />}
      {data && (
        <div class="scroll">
          <table class="list cards" onKeyDown={onKeyDown}>
            <thead><tr><th scope="col">path</th><th scope="col">kind</th><th scope="col">rule</th></tr></thead>
            <tbody>
              {data.paths.map((it, at) => (
                <tr key={it.path} {...item(at)}>
                  <th scope="row"><Path path={it.path} /></th><td>{it.code}</td><td class="quiet">{it.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Truncation shown={data.paths.length} total={data.total} />
        </div>
      )}
    </>
  );
}

function Truncation({ shown, total }: { shown: number; total: number }) {
  if (!total) return <Empty>Nothing is like that.</Empty>;
  return shown < total ? <p class="quiet">{count(total - shown)} more; filter to see them.</p> : null;
}
