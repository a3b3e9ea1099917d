// The page of a server: its views, and the form for a token.

import { useState } from "preact/hooks";
import { AskView } from "./ask/view";
import { TokenRequired, show, useGet } from "./api";
import type { Options } from "./data";
import { Frame } from "./frame";
import { IndexView } from "./indexed";
import { MapView } from "./map";
import { Empty } from "./parts";
import { NextView } from "./next";
import { PlaceView } from "./place";
import { RequestView } from "./request";
import { Requests } from "./requests";
import { useRoute } from "./route";

const VIEWS = [
  { id: "requests", title: "Requests" },
  { id: "ask", title: "Ask" },
  { id: "place", title: "Place" },
  { id: "next", title: "Next" },
  { id: "index", title: "Index" },
  { id: "map", title: "Map" },
];

export function Server() {
  const { parts, query } = useRoute();
  const { data: options, error, again } = useGet<Options>("/api/settings");
  const view = VIEWS.some((it) => it.id === parts[0]) ? parts[0] ?? "" : "requests";
  const workspace = query.get("workspace") ?? undefined;
  return (
    <Frame views={VIEWS} current={view}>
      {error instanceof TokenRequired && <Token shown={again} />}
      {error && !(error instanceof TokenRequired) && <Problem error={error} again={again} />}
      {options && (
        <>
          {view === "requests" && !parts[1] && <Requests />}
          {view === "requests" && parts[1] && <RequestView id={parts[1]} tab={parts[2] ?? "prompt"} options={options} />}
          {view === "ask" && <AskView key={workspace} options={options} workspace={workspace} proposed={query.get("question") ?? ""} />}
          {view === "next" && <NextView key={`${query}`} query={query} options={options} />}
          {view === "place" && <PlaceView query={query} tab={parts[1] ?? "prompt"} options={options} />}
          {view === "index" && <IndexView options={options} workspace={workspace} tab={parts[1] ?? "in"} />}
          {view === "map" && <MapView options={options} workspace={workspace} focus={query.get("focus") ?? ""} />}
        </>
      )}
    </Frame>
  );
}

function Token({ shown }: { shown: () => void }) {
  const [text, set] = useState("");
  return (
    <form class="token" onSubmit={(event) => (event.preventDefault(), show(text), shown())}>
      <h1>This server requires its token</h1>
      <p class="quiet">It was started with <code>--token</code>. The page keeps it while this tab is open.</p>
      <label>Token <input class="field" type="password" autocomplete="off" value={text} onInput={(event) => set(event.currentTarget.value)} /></label>
      <button class="small">Show it</button>
    </form>
  );
}

export function Problem({ error, again }: { error: Error; again?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {again && <button type="button" class="small" onClick={again}>Ask again</button>}
    </div>
  );
}

/** A placeholder while there is no answer, or the error. */
export function Waiting({ error, again }: { error: Error | null; again?: () => void }) {
  if (error) return <Problem error={error} {...(again ? { again } : {})} />;
  return <Empty>Asking …</Empty>;
}
