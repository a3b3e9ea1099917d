// The recent requests, live.

import { useEffect, useMemo, useState } from "preact/hooks";
import { get, hasToken, listen } from "./api";
import type { Summary } from "./data";
import { count, ms, time } from "./format";
import { useRoving } from "./keys";
import { Chip, Copyable, Empty, Filter, Path, Search } from "./parts";
import { go, href } from "./route";
import { Problem } from "./server";

/** The number of requests that the page holds; the server holds about as many. */
const MOST = 500;

export function Requests() {
  const { requests, error, live } = useLive();
  const [door, setDoor] = useState("");
  const [outcome, setOutcome] = useState("");
  const [text, setText] = useState("");
  const shown = requests.filter((it) => {
    const words = `${it.place.path ?? ""} ${it.endpoint} ${it.client ?? ""} ${it.id}`.toLowerCase();
    return (!door || it.door === door) && (!outcome || outcomes(it).includes(outcome)) && words.includes(text.toLowerCase());
  });
  return (
    <section class="requests">
      <div class="tools">
        <h1>Requests</h1>
        <Chip kind={live ? "good" : "warn"}>{live ? "live" : "not live"}</Chip>
        <Search value={text} set={setText} name="File, endpoint, client" />
        <Filter choices={choices(requests, (it) => [it.door])} chosen={door} choose={setDoor} name="Filter by protocol" />
        <Filter choices={choices(requests, outcomes)} chosen={outcome} choose={setOutcome} name="Filter by outcome" />
      </div>
      {error && <Problem error={error} />}
      {requests.length === 0 && !error && (
        <div class="empty">
          <p>
            No request came yet. Point a completion tool at this server (<code>foreword help serve</code>), <a href={href(["place"])}>open a place</a> to
            see its prompt, or send a request:
          </p>
          <Copyable text={curl()} name="A request for curl" />
        </div>
      )}
      {shown.length > 0 && <List requests={shown} />}
      {requests.length > 0 && shown.length === 0 && <Empty>No request is like that.</Empty>}
    </section>
  );
}

/** A request that works as it stands; a server with a token wants that, too. */
function curl(): string {
  const body = JSON.stringify({ prompt: "def a():\n    check()\n    return done\n\ndef b():\n    check()\n    return done\n\ndef c():\n    check()\n    return ", suffix: "\n" });
  const token = hasToken() ? "  -H 'authorization: Bearer TOKEN' \\\n" : "";
  return `curl ${location.origin}/v1/completions \\\n  -H 'content-type: application/json' \\\n${token}  -d '${body}'`;
}

/** The outcome of a request, in words to filter by. */
function outcomes(it: Summary): string[] {
  const end = it.end === "done" ? [] : [it.end];
  return [...end, it.context, ...(it.withheld === null ? [] : ["withheld"]), ...(it.verdict ? [it.verdict] : [])];
}

function choices(requests: Summary[], words: (it: Summary) => string[]) {
  const counted = new Map<string, number>();
  for (const word of requests.flatMap(words)) counted.set(word, (counted.get(word) ?? 0) + 1);
  return [...counted].sort().map(([id, n]) => ({ id, n }));
}

function List({ requests }: { requests: Summary[] }) {
  const { onKeyDown, item } = useRoving();
  return (
    <div class="scroll">
      <table class="list cards" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">time</th><th scope="col">file</th><th scope="col">protocol</th><th scope="col">context</th>
            <th scope="col" class="number">prompt tokens</th><th scope="col" class="number">from cache</th>
            <th scope="col" class="number">foreword</th><th scope="col" class="number">total</th><th scope="col">outcome</th>
          </tr>
        </thead>
        <tbody>{requests.map((it, at) => <Row key={it.id} it={it} item={item(at)} />)}</tbody>
      </table>
    </div>
  );
}

function Row({ it, item }: { it: Summary; item: object }) {
  const { place } = it;
  return (
    <tr onClick={() => go(["requests", it.id])}>
      <td class="quiet" data-name="time">{time(it.at)}</td>
      <th scope="row">
        <a href={href(["requests", it.id])} {...item}>
          {place.path ? <Path path={place.path} at={`${place.line ?? ""}`} /> : <span class="quiet">no file</span>}
        </a>
        {place.path && place.confidence < 0.9 && <span class="quiet"> {Math.round(place.confidence * 100)} % sure</span>}
      </th>
      <td data-name="protocol">{it.door}</td>
      <td data-name="context"><ContextChip context={it.context} /></td>
      <td class="number" data-name="prompt tokens">{it.prompt_tokens === null ? "" : count(it.prompt_tokens)}</td>
      <td class="number" data-name="from cache">{it.cached_tokens === null ? "" : count(it.cached_tokens)}</td>
      <td class="number" data-name="foreword">{ms(it.timings.own)}</td>
      <td class="number" data-name="total">{ms(it.timings.total)}</td>
      <td data-name="outcome"><Outcome it={it} /></td>
    </tr>
  );
}

export function ContextChip({ context, name }: { context: Summary["context"]; name?: string }) {
  const kind = { file: "good", lexical: "", untouched: "", late: "warn", failed: "bad", refused: "warn" }[context];
  return <Chip kind={kind} {...(name ? { name } : {})}>{context}</Chip>;
}

export function Outcome({ it }: { it: Pick<Summary, "end" | "verdict" | "status" | "withheld"> }) {
  const kind = it.end === "failed" ? "bad" : it.withheld !== null ? "warn" : it.verdict === "accepted" ? "good" : "";
  const answered = it.withheld === null ? "answered" : `withheld (${it.withheld.toFixed(2)})`;
  const word = it.verdict ?? (it.end === "done" ? answered : it.end);
  return <Chip kind={kind}>{word}{it.status >= 400 && ` ${it.status}`}</Chip>;
}

/** The list and every later change; fetched again after the connection was lost. */
function useLive() {
  const [known, set] = useState<Map<string, Summary>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  const [live, setLive] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const take = (name: string, data: unknown) => {
      if (name === "request") set((it) => new Map(it).set((data as Summary).id, data as Summary));
      if (name === "lagged") void load();
    };
    const load = async () => {
      const { requests } = await get<{ requests: Summary[] }>("/api/requests", { limit: MOST }, stop.signal);
      set(new Map(requests.map((it) => [it.id, it])));
      setError(null);
    };
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          await load();
          setLive(true);
          await listen("/api/requests/live", take, stop.signal);
        } catch (error) {
          if (!stop.signal.aborted) setError(error as Error);
        }
        if (!stop.signal.aborted) setLive(false);
        await new Promise((done) => setTimeout(done, 2000));
      }
    };
    void follow();
    return () => stop.abort();
  }, []);
  const requests = useMemo(() => [...known.values()].sort((a, b) => b.at - a.at || b.id.localeCompare(a.id)).slice(0, MOST), [known]);
  return { requests, error, live };
}
