// Lines of an indexed file with their colours, and a link that opens them in the editor.

import { useState } from "preact/hooks";
import { useGet } from "./api";
import type { FileLines, Lines } from "./data";
import { EDITORS, addressOf, useEditor } from "./editors";
import { plural } from "./format";
import { href } from "./route";

/** Lines around what is marked, and how many more a button shows. */
const AROUND = 3;
const MORE = 20;

interface Props {
  root: string;
  workspace: string | undefined;
  path: string;
  lines: Lines;
}

/** Some lines of a file, those that are cited marked, with buttons for more. */
export function Excerpt({ root, workspace, path, lines: [first, last] }: Props) {
  const [before, setBefore] = useState(AROUND);
  const [after, setAfter] = useState(AROUND);
  const from = Math.max(1, first - before);
  const { data, error } = useGet<FileLines>("/api/lines", { workspace, path, from, to: last + after });
  if (error) return <p class="note" role="alert">{error.message}</p>;
  if (!data) return <p class="quiet excerpt">…</p>;
  const end = data.from + data.lines.length - 1;
  return (
    <div class="excerpt">
      <p class="excerpt-tools">
        <EditorLink root={root} path={path} line={first} />
        <a href={href(["place"], { ...(workspace ? { workspace } : {}), file: path, line: `${last}` })}>prompt here</a>
        {data.from > 1 && <button type="button" class="small" onClick={() => setBefore(before + MORE)}>more above</button>}
        {end < data.total && <button type="button" class="small" onClick={() => setAfter(after + MORE)}>more below</button>}
      </p>
      <Code lines={data.lines} from={data.from} marked={[first, last]} name={`${path}, lines ${data.from} to ${end} of ${data.total}`} />
    </div>
  );
}

export function Code({ lines, from, marked, name }: { lines: FileLines["lines"]; from: number; marked: Lines; name: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={name}>
      {lines.map((it, at) => {
        const line = from + at;
        const isMarked = line >= marked[0] && line <= marked[1];
        return (
          <span key={line} class={`line ${isMarked ? "marked" : ""}`}>
            <span class="no" aria-hidden="true">{line}</span>
            <span class="runs">
              {it.runs.map(([kind, text], at) => (kind ? <span key={at} class={`is-${kind}`}>{text}</span> : text))}
              {it.cut && <span class="quiet" title={plural(1, "long line") + ", not all of it"}> …</span>}
              {"\n"}
            </span>
          </span>
        );
      })}
    </pre>
  );
}

export function EditorLink({ root, path, line }: { root: string; path: string; line: number }) {
  const [editor] = useEditor();
  const address = addressOf(editor, root, path, line);
  if (!address) return null;
  const title = EDITORS.find((it) => it.id === editor)?.title ?? "";
  return <a class="editor" href={address} rel="noreferrer" title={address}>open in {title}</a>;
}

/** Chooses the editor of all links. */
export function EditorChoice() {
  const [editor, choose] = useEditor();
  return (
    <label class="quiet">
      Links open in{" "}
      <select class="field" value={editor} onChange={(event) => choose(event.currentTarget.value)}>
        {EDITORS.map((it) => <option key={it.id} value={it.id}>{it.title}</option>)}
        <option value="none">nothing</option>
      </select>
    </label>
  );
}
