// How much of a repository is planned, by the static planner and by a chat model, and what the latter has cost.

import { useGet } from "./api";
import type { Planner, Plans } from "./data";
import { ago, bytes, count, percent, plural } from "./format";
import { Chip, Path } from "./parts";
import { href } from "./route";
import { Waiting } from "./server";

/** How much of a repository is planned. */
export function PlansView({ workspace }: { workspace: string | undefined }) {
  const { data, error, again } = useGet<Plans>("/api/plans", { workspace });
  if (!data) return <Waiting error={error} again={again} />;
  return (
    <section class="plans">
      {data.planners.map((it) => <PlannerView key={it.planner} it={it} all={data} workspace={workspace} />)}
      {data.planners.length === 1 && <p class="quiet">No chat model has planned here; <code>foreword speculate --agents</code> has one do so, and its <code>--dry-run</code> says at what cost.</p>}
    </section>
  );
}

function PlannerView({ it, all, workspace }: { it: Planner; all: Plans; workspace: string | undefined }) {
  const left = it.files - it.current;
  const command = it.model === null ? "foreword speculate" : "foreword speculate --agents";
  const title = it.model === null ? "Static planner" : it.model;
  return (
    <section class="one-plan" aria-label={title}>
      <h2>{title} {it.model !== null && <span class="quiet">chat model, by agents</span>} {it.cost?.paused && <Chip kind="warn">paused</Chip>}</h2>
      <div class="bar" role="img" aria-label={`${it.current} of ${it.files} files have a current plan, ${it.outdated} an outdated one`}>
        <span class="plan-current" style={{ flexGrow: it.current }} title={`current: ${count(it.current)}`} />
        <span class="plan-outdated" style={{ flexGrow: it.outdated }} title={`outdated: ${count(it.outdated)}`} />
        <span class="free" style={{ flexGrow: Math.max(0, left - it.outdated) }} title={`none: ${count(left - it.outdated)}`} />
      </div>
      <dl class="facts wide">{facts(it, all).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {it.model === null && !all.idle && left > 0 && <p>Plan them with <code>{command}</code>, or have servers do it with <code>speculate = "idle"</code> in <code>config.toml</code>.</p>}
      {it.cost?.paused && <p><code>{command} --resume</code> goes on.</p>}
      {it.next.length > 0 && (
        <details open={it.model === null}>
          <summary>Next to be planned, the likeliest to be edited first</summary>
          <ol class="neighbours">{it.next.map((it) => <li key={it}><a href={href(["place", "plan"], { ...(workspace ? { workspace } : {}), file: it, line: "1" })}><Path path={it} /></a></li>)}</ol>
        </details>
      )}
    </section>
  );
}

function facts(it: Planner, { idle, index_bytes }: Plans): [string, string][] {
  const rows: [string, string][] = [
    ["files", `${count(it.files)} of code are planned for${it.beyond ? `, ${count(it.beyond)} more are not: there are too many` : ""}`],
    ["current", `${count(it.current)}${it.files ? `, ${percent(it.current / it.files)}` : ""}`],
    ["outdated", `${count(it.outdated)} were made of an earlier state`],
    ["size", `${bytes(it.bytes)} beside an index of ${bytes(index_bytes)}`],
    ["last made", it.age_s === null ? "never" : ago(it.age_s)],
  ];
  if (!it.cost) return [...rows, ["when idle", idle ? "this server plans while nobody asks for anything" : "this server does not plan by itself"]];
  const { requests, prompt_tokens, answer_tokens, seconds, usd, thrown_out } = it.cost;
  return [
    ...rows,
    ["cost", `${plural(requests, "request")}, ${count(prompt_tokens)} + ${count(answer_tokens)} tokens, ${seconds.toFixed(1)} s${usd > 0 ? `, ${usd.toFixed(4)} usd` : ""}, of all runs`],
    ["thrown out", `${count(thrown_out)} blocks and forecasts of the model that did not hold`],
  ];
}
