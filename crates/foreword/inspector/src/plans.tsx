// The plan of a file by a chat model: blocks and forecasts.

import { useGet } from "./api";
import { EditorLink } from "./code";
import type { FilePlan, Forecast, Options, Plan, PlanBlock, PlanRun } from "./data";
import { ago, count, lines, percent, plural } from "./format";
import { Chip, Empty, Path } from "./parts";
import { Waiting } from "./server";

interface FileProps {
  options: Options;
  workspace: string | undefined;
  file: string;
}

/** Context of a part of a plan. */
interface Shown {
  root: string;
  requests: number;
}

/** The plan of one file. */
export function PlanView({ options, workspace, file }: FileProps) {
  const { data, error, again } = useGet<FilePlan>("/api/plan", { workspace, file });
  const root = workspace ?? options.workspaces[0]?.root ?? "";
  if (!data) return <Waiting error={error} again={again} />;
  const shown = { root, requests: data.requests };
  return (
    <section class="plan">
      <p class="quiet">
        {data.requests
          ? `Counted below: the last ${plural(data.requests, "prompt")} of this file that this server composed.`
          : "This server has composed no prompt of this file yet."}{" "}
        Prompts are retrieved at the cursor; <code>context --speculated only</code> composes from this plan.
      </p>
      {data.plan
        ? <OnePlan it={data.plan} shown={shown} file={data.path} />
        : <p class="quiet">No chat model has planned in this repository; <code>foreword speculate</code> does.</p>}
    </section>
  );
}

function OnePlan({ it, shown, file }: { it: Plan; shown: Shown; file: string }) {
  const isMissing = it.state === "missing";
  return (
    <section class="one-plan" aria-label={`Plan by ${it.model}`}>
      <h2>{it.model} <span class="quiet">chat model</span></h2>
      <p class="chips">
        <PlanState it={it} />
        {it.age_s !== null && <Chip><span class="quiet">made</span> {ago(it.age_s)}</Chip>}
        {!isMissing && <Chip>{plural(it.blocks.length, "block")}, {plural(it.forecasts.length, "forecast")}</Chip>}
      </p>
      {it.changed.length > 0 && (
        <p class="plan-changed">Changed since: {it.changed.map((path, at) => <span key={path}>{at > 0 && ", "}{path === file ? "this file" : <Path path={path} />}</span>)}</p>
      )}
      {it.run && <Run it={it.run} />}
      {isMissing && <p><code>foreword speculate {file}</code> plans this file.</p>}
      {!isMissing && (
        <>
          <h3>Blocks <span class="quiet">code of the repository that the next edits here are likely to need, quoted</span></h3>
          {!it.blocks.length && <Empty>No blocks.</Empty>}
          <ol class="plan-list">{it.blocks.map((block, at) => <li key={at}><Block it={block} shown={shown} /></li>)}</ol>
          <h3>Forecasts <span class="quiet">guesses of what will be written; never shown as facts of the repository</span></h3>
          {!it.forecasts.length && <Empty>No forecasts.</Empty>}
          <ol class="plan-list">{it.forecasts.map((it, at) => <li key={at}><ForecastView it={it} root={shown.root} /></li>)}</ol>
        </>
      )}
    </section>
  );
}

function PlanState({ it }: { it: Plan }) {
  switch (it.state) {
    case "current": return <Chip kind="good">current</Chip>;
    case "outdated": return <Chip kind="warn">made from an earlier state; blocks with unchanged lines are used</Chip>;
    case "missing": return <Chip kind="warn">no plan of this file</Chip>;
  }
}

/** A chat model's last run on the file. */
function Run({ it }: { it: PlanRun }) {
  const cost = [plural(it.requests, "request"), plural(it.calls, "call of tools", "calls of tools"), `${count(it.prompt_tokens)} + ${count(it.answer_tokens)} tokens`, `${it.seconds.toFixed(1)} s`];
  if (it.usd > 0) cost.push(`${it.usd.toFixed(4)} usd`);
  return (
    <>
      <p><span class="quiet">last run:</span> {it.outcome}, {cost.join(", ")}</p>
      {it.thrown_out.length > 0 && (
        <p class="chips"><span class="quiet">rejected:</span> {it.thrown_out.map(({ code, count }) => <Chip key={code} kind="warn">{count} {code.replace(".", ": ").replaceAll("_", " ")}</Chip>)}</p>
      )}
      {it.problems.length > 0 && <ul class="reasons">{it.problems.map((text, at) => <li key={at}>{text}</li>)}</ul>}
    </>
  );
}

const AGES = { same: "unchanged since", kept: "its file has changed, these lines have not", gone: "dropped" };

function Block({ it, shown: { root, requests } }: { it: PlanBlock; shown: Shown }) {
  return (
    <article class={`planned ${it.state}`}>
      <p class="entry">
        <Path path={it.path} at={lines(it)} /> <span class="quiet">{percent(it.score)} of the best</span>
        <Chip kind={{ same: "good", kept: "", gone: "warn" }[it.state]}>{AGES[it.state]}{it.why && `: ${it.why}`}</Chip>
        {requests > 0 && <Chip>in {it.prompts} of {plural(requests, "prompt")}{it.accepted > 0 && `, ${it.accepted} accepted`}</Chip>}
        <EditorLink root={root} path={it.path} line={it.start_line} />
      </p>
      {it.reason && <p>said by the model: {it.reason}</p>}
      {it.text && <details><summary>{plural(it.text.trimEnd().split("\n").length, "line")}</summary><pre class="raw" tabIndex={0}>{it.text}</pre></details>}
    </article>
  );
}

function ForecastView({ it, root }: { it: Forecast; root: string }) {
  return (
    <article class="planned forecast">
      <p class="entry">
        <Chip kind="warn">forecast</Chip> <b class="symbol">{it.name}</b> <span class="quiet">{percent(it.score)}</span>
        <span class="quiet">before</span> <Path path={it.path} at={it.line} />
        {it.state === "written" && <Chip kind="good">written{it.accepted > 0 && `, by ${plural(it.accepted, "accepted completion")}`}</Chip>}
        {it.state === "dropped" && <Chip kind="warn">dropped{it.why && `: ${it.why}`}</Chip>}
        <EditorLink root={root} path={it.path} line={it.line} />
      </p>
      <pre class="raw" tabIndex={0}>{it.code}</pre>
      <ul class="reasons">{it.evidence.map((it, at) => <li key={at}>{it.what} <Path path={it.path} at={lines(it)} /></li>)}</ul>
    </article>
  );
}
