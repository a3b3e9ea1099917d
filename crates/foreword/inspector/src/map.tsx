// The repository map as a treemap: files by directory, sized by rank, and the references between them.

import { useMemo, useState } from "preact/hooks";
import { useGet } from "./api";
import type { MapFile, Options, RepositoryMap } from "./data";
import { count, plural, split } from "./format";
import { useRoving } from "./keys";
import { Path, useSize } from "./parts";
import { go, href } from "./route";
import { Waiting } from "./server";
import { type Box, inset, squarify } from "./treemap";
import { Workspaces } from "./workspace";

interface Props {
  options: Options;
  workspace: string | undefined;
  focus: string;
}

export function MapView({ options, workspace, focus }: Props) {
  const { data, error, again } = useGet<RepositoryMap>("/api/map", { workspace, focus });
  const [text, set] = useState(focus);
  const to = (focus: string, root = workspace) => go(["map"], { ...(root ? { workspace: root } : {}), ...(focus ? { focus } : {}) });
  return (
    <section class="map">
      <form class="tools" onSubmit={(event) => (event.preventDefault(), to(text))}>
        <h1>Map</h1>
        <Workspaces options={options} workspace={workspace} choose={(root) => to("", root)} />
        <input class="search" placeholder="Around a file, directory or name" aria-label="Around a file, directory or name" value={text} data-search onInput={(event) => set(event.currentTarget.value)} />
        <button class="small">Look there</button>
        {data && <span class="quiet">{count(data.files_shown)} of {plural(data.files_total, "file")}, {count(data.definitions_shown)} of {plural(data.definitions_total, "definition")}</span>}
      </form>
      {!data && <Waiting error={error} again={again} />}
      {data && <Picture key={focus + workspace} map={data} workspace={workspace} />}
    </section>
  );
}

function Picture({ map, workspace }: { map: RepositoryMap; workspace: string | undefined }) {
  const [chosen, choose] = useState<number>(0);
  const { ref, width } = useSize<HTMLDivElement>();
  const height = Math.round(width < 640 ? width * 1.5 : Math.max(420, Math.min(width * 0.62, 760)));
  const layout = useMemo(() => arrange(map.files, width, height), [map, width, height]);
  if (!map.files.length) return <p class="empty">There is nothing to rank here.</p>;
  return (
    <div class="map-two">
      <div ref={ref} class="canvas">
        {width > 0 && <Treemap map={map} layout={layout} width={width} height={height} chosen={chosen} choose={choose} />}
      </div>
      <SelectedFile map={map} at={chosen} choose={choose} workspace={workspace} />
    </div>
  );
}

interface Layout {
  directories: { name: string; box: Box }[];
  files: Box[];
}

/** The height of a directory's name, which is omitted where there is no room. */
const TITLE = 17;

/** Ranks differ by orders of magnitude; this keeps small files visible. */
const area = (rank: number): number => Math.max(rank, 1e-4) ** 0.65;

function arrange(files: MapFile[], width: number, height: number): Layout {
  const groups = new Map<string, number[]>();
  files.forEach((it, at) => {
    const directory = split(it.path)[0];
    groups.set(directory, [...(groups.get(directory) ?? []), at]);
  });
  const sum = (group: number[]) => group.reduce((sum, at) => sum + area(files[at]?.rank ?? 0), 0);
  const sorted = [...groups].sort((a, b) => sum(b[1]) - sum(a[1]));
  const boxes = squarify(sorted.map((it) => sum(it[1])), { x: 0, y: 0, width, height });
  const res: Layout = { directories: [], files: [] };
  sorted.forEach(([name, group], at) => {
    const box = boxes[at];
    if (!box) return;
    res.directories.push({ name, box });
    const inner = squarify(group.map((at) => area(files[at]?.rank ?? 0)), inset(box, 2, Math.min(TITLE, box.height / 3)));
    group.forEach((file, n) => {
      res.files[file] = inner[n] ?? box;
    });
  });
  return res;
}

interface TreemapProps {
  map: RepositoryMap;
  layout: Layout;
  width: number;
  height: number;
  chosen: number;
  choose: (file: number) => void;
}

function Treemap({ map, layout, width, height, chosen, choose }: TreemapProps) {
  const { onKeyDown, item } = useRoving();
  const near = neighbours(map, chosen);
  const most = map.files[0]?.rank ?? 1;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Files, the highest ranked first" onKeyDown={onKeyDown}>
      {layout.directories.map(({ name, box }) => (
        <g key={name} class="directory-box">
          <rect x={box.x + 0.5} y={box.y + 0.5} width={Math.max(0, box.width - 1)} height={Math.max(0, box.height - 1)} rx={3} />
          {box.height >= 3 * TITLE && <text x={box.x + 5} y={box.y + 12}>{cut(name || "./", box.width - 8, 6)}</text>}
        </g>
      ))}
      {map.files.map((file, at) => {
        const box = layout.files[at];
        if (!box) return null;
        const { onFocus, ...more } = item(at);
        return (
          <g
            key={file.path}
            class={`file-box ${at === chosen ? "chosen" : ""} ${near.get(at) ?? ""}`}
            role="button"
            aria-label={`${file.path}, rank ${at + 1}`}
            aria-pressed={at === chosen}
            onClick={() => choose(at)}
            onFocus={() => (onFocus(), choose(at))}
            {...more}
          >
            <File file={file} box={inset(box, 1)} strength={Math.sqrt(file.rank / most)} />
            <title>{`${file.path}, rank ${at + 1} of ${map.files.length}`}</title>
          </g>
        );
      })}
      <Arcs map={map} layout={layout} chosen={chosen} />
    </svg>
  );
}

const LINE = 13;

function File({ file, box, strength }: { file: MapFile; box: Box; strength: number }) {
  const room = Math.floor((box.height - 19) / LINE);
  const shown = box.width > 60 ? file.definitions.slice(0, Math.max(0, room)) : [];
  return (
    <>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={2} style={{ fillOpacity: 0.1 + 0.5 * strength }} />
      {box.height > 14 && <text class="file-name" x={box.x + 5} y={box.y + 13}>{cut(split(file.path)[1], box.width - 8, 6.9)}</text>}
      {shown.map((it, at) => (
        <text key={at} class="signature" x={box.x + 6 + 8 * Math.min(it.depth, 3)} y={box.y + 13 + LINE * (at + 1)}>
          {cut(brief(it.signature, box.width), box.width - 12 - 8 * it.depth, 6.05)}
        </text>
      ))}
    </>
  );
}

const MODIFIERS = /^(pub(\([a-z ]+\))?|export|default|public|private|protected|static|abstract|final|async|unsafe) +/;
const KEYWORDS = /^(fn|def|function|func|class|struct|enum|trait|interface|impl|type|const|let|var) +/;

/** A signature without modifiers; in a narrow box from its name on. */
function brief(signature: string, width: number): string {
  let res = signature;
  while (MODIFIERS.test(res)) res = res.replace(MODIFIERS, "");
  return width < 190 ? res.replace(KEYWORDS, "") : res;
}

/** The beginning of a text that is about so wide. */
function cut(text: string, width: number, letter: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : most < 3 ? "" : `${text.slice(0, most - 1)}…`;
}

/** The relation of a file to the selected one. */
function neighbours(map: RepositoryMap, at: number): Map<number, string> {
  const res = new Map<number, string>();
  for (const { user, definer } of map.edges) {
    if (definer === at) res.set(user, "near used");
    if (user === at) res.set(definer, "near uses");
  }
  return res;
}

/** The references of the selected file that are drawn. */
const ARCS = 12;

function Arcs({ map, layout, chosen }: { map: RepositoryMap; layout: Layout; chosen: number }) {
  const edges = map.edges.filter((it) => it.user === chosen || it.definer === chosen).slice(0, ARCS);
  const most = edges[0]?.weight ?? 1;
  return (
    <g class="arcs">
      {edges.map(({ user, definer, weight }) => {
        const [from, to] = [layout.files[user], layout.files[definer]];
        if (!from || !to) return null;
        const [ax, ay] = [from.x + from.width / 2, from.y + from.height / 2];
        const [bx, by] = [to.x + to.width / 2, to.y + to.height / 2];
        const [mx, my] = [(ax + bx) / 2 - (by - ay) * 0.15, (ay + by) / 2 + (bx - ax) * 0.15];
        return (
          <g key={`${user}-${definer}`} class={user === chosen ? "uses" : "used"}>
            <path d={`M${ax} ${ay}Q${mx} ${my} ${bx} ${by}`} style={{ strokeWidth: 1 + 3 * Math.sqrt(weight / most) }} />
            <circle cx={bx} cy={by} r={3.5} />
          </g>
        );
      })}
    </g>
  );
}

interface SelectedFileProps {
  map: RepositoryMap;
  at: number;
  choose: (file: number) => void;
  workspace: string | undefined;
}

function SelectedFile({ map, at, choose, workspace }: SelectedFileProps) {
  const file = map.files[at];
  if (!file) return null;
  const uses = map.edges.filter((it) => it.user === at);
  const used = map.edges.filter((it) => it.definer === at);
  const open = (line: number) => href(["place"], { ...(workspace ? { workspace } : {}), file: file.path, line: `${line}` });
  return (
    <aside class="chosen-file" aria-live="polite">
      <h2><Path path={file.path} /></h2>
      <p class="quiet">rank {at + 1} of {map.files.length} · {(100 * file.rank).toFixed(1)} % of all</p>
      <ul class="definitions">
        {file.definitions.map((it) => (
          <li key={`${it.start_line}${it.signature}`} class={`depth${Math.min(it.depth, 3)}`}>
            <a href={open(it.start_line)}><span class="number">{it.start_line}</span> <code>{it.signature}</code></a>
          </li>
        ))}
      </ul>
      <Neighbours title="Used by" kind="used" files={used.map((it) => it.user)} map={map} choose={choose} />
      <Neighbours title="Uses" kind="uses" files={uses.map((it) => it.definer)} map={map} choose={choose} />
    </aside>
  );
}

interface NeighboursProps {
  title: string;
  kind: string;
  files: number[];
  map: RepositoryMap;
  choose: (file: number) => void;
}

function Neighbours({ title, kind, files, map, choose }: NeighboursProps) {
  if (!files.length) return null;
  return (
    <>
      <h3 class={kind}><i /> {title} <span class="quiet">{files.length}</span></h3>
      <ul class="neighbours">
        {files.slice(0, 14).map((it) => (
          <li key={it}><button type="button" class="plain" onClick={() => choose(it)}><Path path={map.files[it]?.path ?? ""} /></button></li>
        ))}
      </ul>
      {files.length > 14 && <p class="quiet">and {files.length - 14} more</p>}
    </>
  );
}
