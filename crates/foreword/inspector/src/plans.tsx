// What is stored for the next edits: of a file, its blocks and forecasts; of a repository, how much of it is planned.

import { useGet } from "./api";
import { EditorLink } from "./code";
import type { Forecast, Options, Plan, PlanBlock, Plans } from "./data";
import { bytes, count, lines, percent, plural } from "./format";
import { Chip, Empty, Path } from "./parts";
import { href } from "./route";
import { Waiting } from "./server";

interface FileProps {
  options: Options;
  workspace: string | undefined;
  file: string;
}

/** The plan of one file. */
export function PlanView({ options, workspace, file }: FileProps) {
  const { data, error, again } = useGet<Plan>("/api/plan", { workspace, file });
  const root = workspace ?? options.workspaces[0]?.root ?? "";
  if (!data) return <Waiting error={error} again={again} />;
  return (
    <section class="plan">
      <p class="chips">
        <PlanState it={data} />
        <Chip><span class="quiet">planner</span> {data.planner}</Chip>
        <Chip>{plural(data.requests, "recent prompt")} <span class="quiet">of this file</span></Chip>
      </p>
      <h2>Blocks <span class="quiet">code of the repository that the next edits here are likely to need, quoted</span></h2>
      {!data.blocks.length && <Empty>There are none.</Empty>}
      <ol class="plan-list">{data.blocks.map((it, at) => <li key={at}><Block it={it} root={root} plan={data} /></li>)}</ol>
      <h2>Forecasts <span class="quiet">guesses of what will be written; never shown as facts of the repository</span></h2>
      {!data.forecasts.length && <Empty>There are none: no rule found something that is missing here.</Empty>}
      <ol class="plan-list">{data.forecasts.map((it, at) => <li key={at}><ForecastView it={it} root={root} /></li>)}</ol>
    </section>
  );
}

function PlanState({ it }: { it: Plan }) {
  switch (it.state) {
    case "current": return <Chip kind="good">current: it would be made again as it is</Chip>;
    case "outdated": return <Chip kind="warn">made of an earlier state; what it quotes is used while it stands</Chip>;
    case "proposed": return <Chip>not stored: what the planner would store now</Chip>;
  }
}

const AGES = { same: "unchanged since", kept: "its file has changed, these lines have not", gone: "gone: not used any more" };

function Block({ it, root, plan: { requests, state } }: { it: PlanBlock; root: string; plan: Plan }) {
  return (
    <article class={`planned ${it.state}`}>
      <p class="entry">
        <Path path={it.path} at={lines(it)} /> <span class="quiet">{percent(it.score)} of the best</span>
        {state !== "proposed" && <Chip kind={{ same: "good", kept: "", gone: "warn" }[it.state]}>{AGES[it.state]}</Chip>}
        {requests > 0 && <Chip>in {it.prompts} of {plural(requests, "prompt")}{it.accepted > 0 && `, ${it.accepted} accepted`}</Chip>}
        <EditorLink root={root} path={it.path} line={it.start_line} />
      </p>
      <ul class="reasons">{it.reasons.map((it, at) => <li key={at}>{it.text}</li>)}</ul>
      {it.found_at.length > 0 && <p class="quiet">needed at {it.found_at.length === 1 ? "line" : "lines"} {it.found_at.join(", ")}</p>}
      {it.text && <details><summary>{plural(it.text.trimEnd().split("\n").length, "line")}</summary><pre class="raw" tabIndex={0}>{it.text}</pre></details>}
    </article>
  );
}

function ForecastView({ it, root }: { it: Forecast; root: string }) {
  return (
    <article class="planned forecast">
      <p class="entry">
        <Chip kind="warn">forecast</Chip> <b class="symbol">{it.name || it.kind}</b> <span class="quiet">{it.kind.replaceAll("_", " ")}, {it.form}, {percent(it.score)}</span>
        <span class="quiet">above</span> <Path path={it.path} at={it.line} />
        {it.written && <Chip kind="good">written by now</Chip>}
        <EditorLink root={root} path={it.path} line={it.line} />
      </p>
      <pre class="raw" tabIndex={0}>{it.code}</pre>
      <ul class="reasons">{it.evidence.map((it, at) => <li key={at}>{it.what} <Path path={it.path} at={lines(it)} /></li>)}</ul>
    </article>
  );
}

/** How much of a repository is planned. */
export function PlansView({ workspace }: { workspace: string | undefined }) {
  const { data, error, again } = useGet<Plans>("/api/plans", { workspace });
  if (!data) return <Waiting error={error} again={again} />;
  const left = data.files - data.current;
  const rows: [string, string][] = [
    ["files", `${count(data.files)} of code are planned for${data.beyond ? `, ${count(data.beyond)} more are not: there are too many` : ""}`],
    ["current", `${count(data.current)}${data.files ? `, ${percent(data.current / data.files)}` : ""}`],
    ["outdated", `${count(data.outdated)} were made of an earlier state`],
    ["size", `${bytes(data.bytes)} beside an index of ${bytes(data.index_bytes)}`],
    ["planner", `${data.planner}; ${data.idle ? "this server plans while nobody asks for anything" : "this server does not plan by itself"}`],
  ];
  return (
    <section class="plans">
      <div class="bar" role="img" aria-label={`${data.current} of ${data.files} files have a current plan, ${data.outdated} an outdated one`}>
        <span class="plan-current" style={{ flexGrow: data.current }} title={`current: ${count(data.current)}`} />
        <span class="plan-outdated" style={{ flexGrow: data.outdated }} title={`outdated: ${count(data.outdated)}`} />
        <span class="free" style={{ flexGrow: Math.max(0, left - data.outdated) }} title={`none: ${count(left - data.outdated)}`} />
      </div>
      <dl class="facts wide">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {!data.idle && left > 0 && <p>Plan them with <code>foreword speculate</code>, or have servers do it with <code>speculate = "idle"</code> in <code>config.toml</code>.</p>}
      {data.next.length > 0 && (
        <>
          <h3>Next to be planned <span class="quiet">the likeliest to be edited first</span></h3>
          <ol class="neighbours">{data.next.map((it) => <li key={it}><a href={href(["place", "plan"], { ...(workspace ? { workspace } : {}), file: it, line: "1" })}><Path path={it} /></a></li>)}</ol>
        </>
      )}
    </section>
  );
}
