// Where the next edit is likely, with reasons: after what was changed since the last commit, or from a line.

import { useState } from "preact/hooks";
import { useGet } from "./api";
import { Excerpt } from "./code";
import type { LikelyPlace, NextPlaces, Options } from "./data";
import { lines, percent, plural } from "./format";
import { useRoving } from "./keys";
import { Empty, Path } from "./parts";
import { go } from "./route";
import { Waiting } from "./server";
import { Workspaces } from "./workspace";

export function NextView({ query, options }: { query: URLSearchParams; options: Options }) {
  const { workspace, file, line } = Object.fromEntries(query) as Record<string, string>;
  const [text, set] = useState([file, line].filter(Boolean).join(":"));
  const to = (text: string) => {
    const [, file = "", line = "1"] = /^(.*?)(?::(\d+))?$/.exec(text.trim()) ?? [];
    go(["next"], { ...(workspace ? { workspace } : {}), ...(file ? { file, line } : {}) });
  };
  return (
    <section class="next">
      <form class="tools opener" onSubmit={(event) => (event.preventDefault(), to(text))}>
        <h1>Next edit</h1>
        <Workspaces options={options} workspace={workspace} choose={(workspace) => go(["next"], { workspace })} />
        <input class="search wide" placeholder="src/app.py:120, or nothing: after the edits since the last commit" aria-label="File and line" value={text} data-search autocomplete="off" spellcheck={false} onInput={(event) => set(event.currentTarget.value)} />
        <button class="small">Look there</button>
      </form>
      <NextList options={options} workspace={workspace} file={file} line={line} />
    </section>
  );
}

interface ListProps {
  options: Options;
  workspace: string | undefined;
  file: string | undefined;
  line: string | undefined;
}

/** The likely places; those of a file and line, if they are named. */
export function NextList({ options, workspace, file, line }: ListProps) {
  const { data, error, again } = useGet<NextPlaces>("/api/next", { workspace, file, line });
  const { onKeyDown, item } = useRoving();
  const [open, setOpen] = useState<number | null>(null);
  const root = workspace ?? options.workspaces[0]?.root ?? "";
  if (!data) return <Waiting error={error} again={again} />;
  if (!data.places.length) return <Empty>{nothing(data)}</Empty>;
  return (
    <>
      <p class="quiet">{data.edits ? `After ${plural(data.edits, "edit")} since the last commit` : "Nothing was changed since the last commit; as if this line were about to be"}. The likeliest places first.</p>
      <ol class="pieces" aria-label="Places where the next edit is likely" onKeyDown={onKeyDown}>
        {data.places.map((it, at) => (
          <li key={at} class="piece source">
            <button type="button" class="row" aria-expanded={open === at} onClick={() => setOpen(open === at ? null : at)} {...item(at)}>
              <span class="number">{at + 1}</span>
              <Name it={it} />
              <span class="cost"><b>{percent(it.confidence)}</b><i class="level" style={{ width: `${100 * it.confidence}%` }} /></span>
            </button>
            <p class="first-reason"><code>{it.text}</code></p>
            <ul class="reasons more">{it.reasons.map((it, at) => <li key={at}>{it.text}</li>)}</ul>
            {it.edits.length > 0 && (
              <ul class="reasons more">
                {it.edits.map((edit, at) => <li key={at}>follows: line {edit.start_line} becomes <code>{edit.text.trim()}</code></li>)}
              </ul>
            )}
            {open === at && <Excerpt root={root} workspace={workspace} path={it.path} lines={[it.start_line, it.end_line]} />}
          </li>
        ))}
      </ol>
    </>
  );
}

function Name({ it }: { it: LikelyPlace }) {
  return (
    <span class="what">
      {it.symbol && <b class="symbol">{it.symbol}</b>}
      <Path path={it.path} at={lines(it)} />
    </span>
  );
}

const nothing = ({ edits }: NextPlaces): string =>
  edits ? `No other place follows from the ${plural(edits, "edit")} since the last commit.` : "Nothing was changed since the last commit. Name a file and a line, as if it were about to be edited.";
