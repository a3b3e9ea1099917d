// One request: what the client sent, the context that was added and why, and the answer.

import { useState } from "preact/hooks";
import { post, useGet } from "./api";
import type { RequestRecord, Options, Stage, Trace } from "./data";
import { count, ms, percent, time } from "./format";
import { Chip, Path, TimeBar } from "./parts";
import { Replay } from "./replay";
import { ContextChip, Outcome } from "./requests";
import { go, href } from "./route";
import { Problem, Waiting } from "./server";
import { type More, TraceView } from "./trace";

export function RequestView({ id, tab, options }: { id: string; tab: string; options: Options }) {
  const { data, error, again } = useGet<RequestRecord>(`/api/requests/${encodeURIComponent(id)}`);
  const open = (tab: string) => go(["requests", id, tab]);
  return (
    <>
      <p class="crumbs"><a href={href(["requests"])}>Requests</a> <span class="quiet">/ {id}</span></p>
      {!data && <Waiting error={error} again={again} />}
      {data && <Request it={data} tab={tab} open={open} options={options} />}
    </>
  );
}

interface Props {
  it: RequestRecord;
  tab: string;
  open: (tab: string) => void;
  options: Options;
}

function Request({ it, tab, open, options }: Props) {
  const { trace, place } = it;
  const about: More = { id: "request", title: "Request and answer", view: () => <About it={it} /> };
  if (trace) {
    const view = () => <Replay trace={trace} what={{ request: it.id }} options={options} answer={it.answer} />;
    const replay: More = { id: "replay", title: "Replay", view };
    return <TraceView trace={{ ...trace, stages: stages(it) }} tab={tab} open={open} more={[about, replay]} chips={<Chips it={it} />} />;
  }
  return (
    <article class="trace">
      <header class="head">
        <h1>{place.path ? <Path path={place.path} at={`${place.line ?? ""}`} /> : it.endpoint}</h1>
        <p class="chips"><Chips it={it} /></p>
      </header>
      <TimeBar stages={stages(it)} />
      {it.context !== "untouched" && it.context !== "refused" && <MissingContext it={it} tab={tab} open={open} />}
      <About it={it} />
    </article>
  );
}

/** The context of a request that was answered without one, composed on demand. */
function MissingContext({ it, tab, open }: Omit<Props, "options">) {
  const [trace, set] = useState<Trace | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const compose = () => post<Trace>("/api/replay", { request: it.id }).then(set, setError);
  if (trace) return <TraceView trace={trace} tab={tab} open={open} />;
  return (
    <>
      {error && <Problem error={error} />}
      <p>This request went on without pieces of the repository. <button type="button" class="small" onClick={() => void compose()}>Compose it now</button></p>
    </>
  );
}

function Chips({ it }: { it: RequestRecord }) {
  return (
    <>
      <Outcome it={it} />
      <ContextChip name="context" context={it.context} />
      <Chip name="protocol">{it.door} <span class="quiet">{it.endpoint}</span></Chip>
      {it.place.path && <Chip name="file found">{percent(it.place.confidence)} sure <span class="quiet">{it.place.how}</span></Chip>}
    </>
  );
}

/** The stages of the context where each was timed, and the times before and after. */
function stages(it: RequestRecord): Stage[] {
  const { locate, context, first, model } = it.timings;
  const inner = it.trace?.stages ?? [];
  const known = inner.reduce((sum, it) => sum + it.ms, 0);
  const rest = Math.max(0, context - known);
  return [
    { stage: "locate", ms: locate },
    ...inner,
    ...(rest > 0.005 ? [{ stage: inner.length ? "rest of the context" : "context", ms: rest }] : []),
    ...(first > 0 ? [{ stage: "model, to the first text", ms: first }] : []),
    ...(model > first ? [{ stage: "model, the rest", ms: model - first }] : []),
  ];
}

function About({ it }: { it: RequestRecord }) {
  return (
    <section class="about">
      <Facts it={it} />
      {it.notes.map((text) => <p key={text} class="note">{text}</p>)}
      <h2>Answer</h2>
      {it.withheld !== null && <p class="note">A completion was withheld: its first line is right in {percent(it.withheld)} of such cases, which is below the least that is shown (<code>--least-confidence</code>). “Replay” shows the text.</p>}
      <pre class="raw">{it.answer || "(nothing)"}</pre>
      <Used it={it} />
      {!it.trace && it.prompt && <><h2>The prompt that was sent</h2><pre class="raw" tabIndex={0}>{it.prompt}</pre></>}
      <h2>Request</h2>
      <Fields of={it.request} />
    </section>
  );
}

/** Which snippets the answer took something from. */
function Used({ it }: { it: RequestRecord }) {
  const used = it.used.map((use, at) => ({ use, path: it.snippets[at]?.filepath ?? "" })).filter(({ use }) => use.share > 0 || use.lines > 0);
  if (used.length === 0) return null;
  return (
    <>
      <h2>What it took from the pieces</h2>
      <ul class="used">
        {used.map(({ use, path }, at) => <li key={at}><Path path={path} /> <span class="quiet">{percent(use.share)} of what is new at the cursor; {count(use.lines)} lines</span> <code>{use.names.join(" ")}</code></li>)}
      </ul>
    </>
  );
}

/** The fields of a request: short ones in a list, texts with their line breaks. */
function Fields({ of }: { of: unknown }) {
  const all = Object.entries((of ?? {}) as Record<string, unknown>);
  const isText = (it: unknown) => typeof it === "string" && it.includes("\n");
  const short = all.filter(([, it]) => !isText(it) && (typeof it !== "object" || it === null));
  const texts = all.filter(([, it]) => isText(it)) as [string, string][];
  const nested = all.filter(([, it]) => typeof it === "object" && it !== null);
  return (
    <div class="fields">
      <dl class="facts">{short.map(([name, it]) => <><dt><code>{name}</code></dt><dd>{it === "" ? <span class="quiet">empty</span> : String(it)}</dd></>)}</dl>
      {texts.map(([name, it]) => <Text key={name} name={name} text={it} />)}
      {nested.map(([name, it]) => <Nested key={name} name={name} it={it as object} />)}
      <details><summary>as it came</summary><pre class="raw">{JSON.stringify(of, null, 2)}</pre></details>
    </div>
  );
}

function Text({ name, text }: { name: string; text: string }) {
  return <div><h3>{name}</h3><pre class="raw" tabIndex={0}>{text}</pre></div>;
}

/** A list or an object of a request, whose texts are texts. */
function Nested({ name, it }: { name: string; it: object }) {
  const texts = Object.entries(it).flatMap(([key, part]) => {
    const own = (it: unknown) => (typeof it === "object" && it !== null ? Object.entries(it) : []);
    const parts: [string, unknown][] = typeof part === "string" ? [["", part]] : own(part);
    return parts.filter((it): it is [string, string] => typeof it[1] === "string" && it[1].includes("\n")).map(([field, text]) => ({ name: [name, key, field].filter(Boolean).join("."), text }));
  });
  if (texts.length === 0) return <div><h3>{name}</h3><pre class="raw" tabIndex={0}>{JSON.stringify(it, null, 2)}</pre></div>;
  return <>{texts.map((it) => <Text key={it.name} name={it.name} text={it.text} />)}</>;
}

function Facts({ it }: { it: RequestRecord }) {
  const { model, place } = it;
  const cached = model.cached_tokens !== null && model.prompt_tokens;
  const rows: [string, string | null][] = [
    ["when", time(it.at)],
    ["client", it.client],
    ["where", place.path ? `${place.path}:${place.line}:${place.column}` : null],
    ["found", place.how],
    ["model", model.title || null],
    ["prompt", model.prompt_tokens === null ? null : `${count(model.prompt_tokens)} tokens${model.prompt_ms === null ? "" : ` in ${ms(model.prompt_ms)}`}`],
    ["cache", cached ? `${count(model.cached_tokens ?? 0)} tokens were there already (${percent((model.cached_tokens ?? 0) / (model.prompt_tokens ?? 1))})` : null],
    ["answer", model.answer_tokens === null ? null : `${count(model.answer_tokens)} tokens${model.answer_ms === null ? "" : ` in ${ms(model.answer_ms)}`}`],
    ["foreword", `${ms(it.timings.own)} of ${ms(it.timings.total)}`],
    ["taken", it.verdict],
  ];
  return (
    <dl class="facts wide">
      {rows.filter((it) => it[1]).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  );
}
