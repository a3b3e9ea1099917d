// Questions about a repository: the answer with its citations, and the evidence beside it.

import { useEffect, useRef, useState } from "preact/hooks";
import { EditorChoice } from "../code";
import type { Options } from "../data";
import { ms, plural } from "../format";
import { useKeys } from "../keys";
import { Chip, Path } from "../parts";
import { go } from "../route";
import { Workspaces } from "../workspace";
import { Cite, Markdown, Reading, at } from "./answer";
import { Sources } from "./sources";
import { type AskedBy, type Turn, type Verdict, ask, cancel, clear, isRunning, judge, useTurns } from "./state";

interface Props {
  options: Options;
  workspace: string | undefined;
  /** A question that the address proposes; it is not asked by itself. */
  proposed: string;
}

export function AskView({ options, workspace, proposed }: Props) {
  const turns = useTurns();
  const [shown, show] = useState<number | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [target, setTarget] = useState<{ turn: number; n: number } | null>(null);
  const from = useRef<Element | null>(null);
  const root = workspace ?? options.workspaces[0]?.root ?? "";
  const beside = turns.find((it) => it.id === shown) ?? turns.at(-1);
  useKeys({ Escape: cancel });
  const openPiece = (turn: number, n: number) => {
    from.current = document.activeElement;
    show(turn);
    setOpen((it) => new Set(it).add(`${turn}-${n}`));
    setTarget({ turn, n });
  };
  const toggle = (key: string) => setOpen((it) => (it.has(key) ? new Set([...it].filter((other) => other !== key)) : new Set(it).add(key)));
  const submit = (question: string, by: AskedBy = "model") => (show(null), void ask(question, workspace, by));
  return (
    <section class="ask">
      <div class="tools">
        <h1>Ask</h1>
        <Workspaces options={options} workspace={workspace} choose={(workspace) => (clear(), go(["ask"], { workspace }))} />
        <Chip>{options.chat ?? "no chat model"}</Chip>
        <EditorChoice />
        {turns.length > 0 && <button type="button" class="small" onClick={clear}>New conversation</button>}
      </div>
      <div class={turns.length ? "ask-two" : ""}>
        <div class="conversation">
          {turns.map((it) => (
            <TurnView key={it.id} it={it} hasModel={options.chat !== null} open={(n) => openPiece(it.id, n)} again={() => submit(it.question, "evidence")} workspace={workspace} />
          ))}
          <Composer proposed={proposed} running={isRunning(turns)} first={turns.length === 0} submit={submit} />
          {!turns.length && <Hints options={options} submit={submit} />}
        </div>
        {beside && beside.sources.length > 0 && (
          <Sources
            key={beside.id}
            root={root}
            workspace={workspace}
            sources={beside.sources}
            cited={beside.answer?.cited ?? []}
            open={new Set(beside.sources.map((it) => it.n).filter((n) => open.has(`${beside.id}-${n}`)))}
            toggle={(n) => toggle(`${beside.id}-${n}`)}
            target={target?.turn === beside.id ? target : null}
            back={() => from.current instanceof HTMLElement && from.current.focus()}
          />
        )}
      </div>
    </section>
  );
}

/** Questions that say what can be asked. */
const EXAMPLES = ["How is this project organized?", "What does this do?", "How do I run the tests?"];

function Hints({ options, submit }: { options: Options; submit: (question: string) => void }) {
  return (
    <div class="hints">
      <p>
        Ask in plain words, name a function or a file, or paste a traceback or a compiler's output below an empty line.{" "}
        {options.chat === null
          ? <>The answer is a cited reading list; a chat model in <code>[models.chat]</code> of <code>config.toml</code> writes answers from it.</>
          : <>The answer is written by {options.chat} from the evidence, and each line is checked.</>}
      </p>
      <p class="chips">{EXAMPLES.map((it) => <button key={it} type="button" class="chip" onClick={() => submit(it)}>{it}</button>)}</p>
    </div>
  );
}

interface ComposerProps {
  proposed: string;
  running: boolean;
  first: boolean;
  submit: (question: string) => void;
}

function Composer({ proposed, running, first, submit }: ComposerProps) {
  const [text, set] = useState(proposed);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const send = () => {
    if (!text.trim()) return;
    submit(text.trim());
    set("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form class="composer" onSubmit={(event) => (event.preventDefault(), send())}>
      <textarea
        ref={field}
        class="field"
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        aria-label="Question"
        placeholder={first ? "How are sessions expired?" : "Ask on: who calls it?"}
        value={text}
        data-search
        onInput={(event) => set(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div class="buttons">
        <button class="small primary">Ask</button>
        {running && <button type="button" class="small" onClick={cancel}>Stop</button>}
        <span class="quiet">Enter asks, Shift+Enter begins a line{running && ", Esc stops"}</span>
      </div>
    </form>
  );
}

interface TurnProps {
  it: Turn;
  hasModel: boolean;
  open: (n: number) => void;
  again: () => void;
  workspace: string | undefined;
}

function TurnView({ it, hasModel, open, again, workspace }: TurnProps) {
  const [question = "", ...pasted] = it.question.split("\n\n");
  const isBusy = it.status === "asked" || it.status === "writing";
  const hasText = it.text !== "" || it.answer !== null;
  const isReading = it.evidence && !hasText && !(isBusy && it.evidence.by);
  return (
    <article class="turn" aria-busy={isBusy}>
      <h2>{question}</h2>
      {pasted.length > 0 && <details><summary>what was pasted</summary><pre class="raw" tabIndex={0}>{pasted.join("\n\n")}</pre></details>}
      <p class="quiet status" role="status">{status(it)}</p>
      {it.error && <p class="problem" role="alert">{it.error}</p>}
      {it.calls.length > 0 && <Calls it={it} open={open} />}
      {hasText && <Markdown text={it.text} sources={it.sources} open={open} />}
      {isReading && it.evidence && <Reading sections={it.evidence.sections} messages={it.evidence.messages} missing={it.evidence.missing} sources={it.sources} open={open} />}
      {hasText && !isBusy && <Cited it={it} open={open} />}
      {!isBusy && it.sources.length > 0 && (
        <p class="after">
          <Thumbs it={it} workspace={workspace} />
          {hasModel && hasText && <button type="button" class="small" onClick={again}>what to read, without the model</button>}
        </p>
      )}
    </article>
  );
}

/** Whether it helped: kept on this machine, for what it cites. */
function Thumbs({ it, workspace }: { it: Turn; workspace: string | undefined }) {
  const button = (verdict: Verdict, name: string, sign: string) => (
    <button type="button" class="small thumb" aria-pressed={it.verdict === verdict} aria-label={name} title={`${name}; kept on this machine, for what is cited`} onClick={() => void judge(it, verdict, workspace)}>{sign}</button>
  );
  return <span class="thumbs" role="group" aria-label="Did it help?">{button("good", "It helped", "👍")}{button("bad", "It did not help", "👎")}{it.verdict && <span class="quiet" role="status">kept</span>}</span>;
}

/** One sentence for the eye and for screen readers. */
function status(it: Turn): string {
  const { evidence, answer } = it;
  if (!evidence) return it.status === "asked" ? "Looking for evidence …" : it.status === "stopped" ? "Stopped." : "";
  const found = `${plural(evidence.evidence.length, "piece")} of evidence in ${ms(it.gathered ?? 0)}`;
  if (it.status === "writing") return evidence.by ? `${found}; ${evidence.by} ${it.text ? "writes" : "reads"} …` : `${found} …`;
  if (it.status === "stopped") return `${found}; stopped.`;
  if (!answer) return `${found}; no model was asked.`;
  const doubts = answer.problems.length ? `, ${plural(answer.problems.length, "mark")} by the check` : ", nothing that the check found wrong";
  const end = answer.end === "stop" ? "" : `; it ended early: ${answer.end}`;
  return `${found}; answered by ${answer.by} in ${ms(it.took ?? 0)}, ${plural(answer.cited.length, "source")} cited${doubts}${end}.`;
}

/** What the model asked for beside the evidence. */
function Calls({ it, open }: { it: Turn; open: (n: number) => void }) {
  return (
    <ul class="calls" aria-label="What the model asked for">
      {it.calls.map((call, index) => (
        <li key={index}>
          <code>{call.tool} {JSON.stringify(call.arguments)}</code>{" "}
          {call.error ? <span class="note">{call.error}</span> : call.evidence.map((n) => <Cite key={n} n={n} sources={it.sources} open={open} />)}
        </li>
      ))}
    </ul>
  );
}

/** The places that an answer cites. */
function Cited({ it, open }: { it: Turn; open: (n: number) => void }) {
  const cited = [...(it.answer?.cited ?? [])].sort((a, b) => a - b);
  if (!cited.length) return null;
  return (
    <ol class="cited-places" aria-label="Sources">
      {cited.map((n) => {
        const source = it.sources[n - 1];
        return source && <li key={n}><Cite n={n} sources={it.sources} open={open} /> <Path path={source.path} at={at(source).slice(source.path.length + 1)} /></li>;
      })}
    </ol>
  );
}
