// One prompt, explained.

import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Trace } from "./data";
import { plural } from "./format";
import { Chip, Path, type Tab, Tabs, TimeBar } from "./parts";
import { Pieces } from "./pieces";
import { Prompt, TokenBar } from "./prompt";
import { Ranking } from "./ranking";
import { Save } from "./save";
import { Words } from "./words";

export interface More extends Tab {
  view: () => ComponentChildren;
}

interface Props {
  trace: Trace;
  tab: string;
  open: (tab: string) => void;
  /** More tabs. */
  more?: More[];
  chips?: ComponentChildren;
}

export function TraceView({ trace, tab, open, more = [], chips }: Props) {
  const [hot, setHot] = useState<number | null>(null);
  const tabs: Tab[] = [
    { id: "prompt", title: "Prompt", note: plural(trace.pieces.length, "piece") },
    { id: "ranking", title: "Ranking", note: `${trace.dropped.length} dropped` },
    { id: "words", title: "Words", note: `${trace.query.terms.length}` },
    ...more,
  ];
  const current = tabs.some((it) => it.id === tab) ? tab : "prompt";
  return (
    <article class="trace">
      <Head trace={trace} chips={chips} />
      <TokenBar trace={trace} hot={hot} setHot={setHot} />
      <TimeBar stages={trace.stages} />
      <Tabs tabs={tabs} current={current} open={open} name="What to look at" />
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${current}`}>
        {current === "prompt" && <PromptTab trace={trace} hot={hot} setHot={setHot} />}
        {current === "ranking" && <Ranking trace={trace} />}
        {current === "words" && <Words trace={trace} />}
        {more.find((it) => it.id === current)?.view()}
      </div>
    </article>
  );
}

function Head({ trace, chips }: { trace: Trace; chips: ComponentChildren }) {
  return (
    <header class="head">
      <h1><Path path={trace.path} at={`${trace.line}:${trace.column}`} /></h1>
      <p class="chips">
        {chips}
        <Chip name="repository">{trace.repository}</Chip>
        <Chip name="prompt format">{trace.settings.format}</Chip>
        {trace.language && <Chip name="language">{trace.language}</Chip>}
        <Chip name="snapshot">{trace.snapshot.slice(0, 8)}</Chip>
        <Chip name="index" kind={trace.fresh ? "good" : "warn"}>{trace.fresh ? "up to date" : "not compared with the disk"}</Chip>
        {!trace.complete && <Chip kind="warn">index incomplete</Chip>}
      </p>
      {trace.notes.map((it) => <p key={it} class="note">{it}</p>)}
    </header>
  );
}

interface PromptProps {
  trace: Trace;
  hot: number | null;
  setHot: (piece: number | null) => void;
}

function PromptTab({ trace, hot, setHot }: PromptProps) {
  return (
    <div class="two">
      <div class="side">
        <h2>Why each piece is there</h2>
        {trace.pieces.length ? <Pieces trace={trace} hot={hot} setHot={setHot} /> : <p class="empty">There are no pieces in this prompt.</p>}
        <Seams trace={trace} />
      </div>
      <div class="main">
        <div class="bar-title"><h2>The prompt</h2><Copy trace={trace} /><Save trace={trace} /></div>
        <Prompt trace={trace} hot={hot} setHot={setHot} />
      </div>
    </div>
  );
}

function Seams({ trace }: { trace: Trace }) {
  const { seams, added } = trace.budget;
  return (
    <dl class="facts">
      {seams !== 0 && <><dt>where parts meet</dt><dd>{seams > 0 ? `+${seams}` : seams}</dd></>}
      {added > 0 && <><dt>added by the server</dt><dd>{added}</dd></>}
      {trace.stop.length > 0 && <dt>ends at</dt>}
      <dd hidden={!trace.stop.length}>{trace.stop.map((it) => <code key={it}>{JSON.stringify(it).slice(1, -1)}</code>)}</dd>
      <dt>settings</dt><dd><code>{trace.settings.fingerprint}</code></dd>
    </dl>
  );
}

function Copy({ trace }: { trace: Trace }) {
  const [done, set] = useState(false);
  const copy = () => {
    const text = trace.segments.map((it) => it.text).join("");
    navigator.clipboard?.writeText(text).then(() => set(true), () => set(false));
  };
  return <button type="button" class="small" onClick={copy}>{done ? "copied" : "copy"}</button>;
}
