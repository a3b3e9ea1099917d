// How much of a repository a chat model has planned, and at what cost.

import { useGet } from "./api";
import type { Coverage, Plans } from "./data";
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
      {data.plans
        ? <CoverageView it={data.plans} indexBytes={data.index_bytes} workspace={workspace} />
        : <p class="quiet">No chat model has planned here; <code>foreword speculate</code> plans, and its <code>--dry-run</code> estimates the cost.</p>}
    </section>
  );
}

function CoverageView({ it, indexBytes, workspace }: { it: Coverage; indexBytes: number; workspace: string | undefined }) {
  const left = it.files - it.current;
  return (
    <section class="one-plan" aria-label={it.model}>
      <h2>{it.model} <span class="quiet">chat model</span> {it.cost.paused && <Chip kind="warn">paused</Chip>}</h2>
      <div class="bar" role="img" aria-label={`${it.current} of ${it.files} files have a current plan, ${it.outdated} an outdated one`}>
        <span class="plan-current" style={{ flexGrow: it.current }} title={`current: ${count(it.current)}`} />
        <span class="plan-outdated" style={{ flexGrow: it.outdated }} title={`outdated: ${count(it.outdated)}`} />
        <span class="free" style={{ flexGrow: Math.max(0, left - it.outdated) }} title={`none: ${count(left - it.outdated)}`} />
      </div>
      <dl class="facts wide">{facts(it, indexBytes).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {it.cost.paused && <p><code>foreword speculate --resume</code> continues.</p>}
      {it.next.length > 0 && (
        <details>
          <summary>Next to be planned, the likeliest to be edited first</summary>
          <ol class="neighbours">{it.next.map((it) => <li key={it}><a href={href(["place", "plan"], { ...(workspace ? { workspace } : {}), file: it, line: "1" })}><Path path={it} /></a></li>)}</ol>
        </details>
      )}
    </section>
  );
}

function facts(it: Coverage, indexBytes: number): [string, string][] {
  const { requests, prompt_tokens, answer_tokens, seconds, usd, thrown_out } = it.cost;
  return [
    ["files", `${count(it.files)} files of code${it.beyond ? `, ${count(it.beyond)} more are not planned: there are too many` : ""}`],
    ["current", `${count(it.current)}${it.files ? `, ${percent(it.current / it.files)}` : ""}`],
    ["outdated", `${count(it.outdated)} were made from an earlier state`],
    ["size", `${bytes(it.bytes)} beside an index of ${bytes(indexBytes)}`],
    ["last made", it.age_s === null ? "never" : ago(it.age_s)],
    ["cost", `${plural(requests, "request")}, ${count(prompt_tokens)} + ${count(answer_tokens)} tokens, ${seconds.toFixed(1)} s${usd > 0 ? `, ${usd.toFixed(4)} usd` : ""}, of all runs`],
    ["rejected", `${count(thrown_out)} blocks and forecasts of the model that failed a check`],
  ];
}
