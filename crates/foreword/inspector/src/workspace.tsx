// Selects one of the server's repositories.

import type { Options } from "./data";

interface Props {
  options: Options;
  workspace: string | undefined;
  choose: (root: string) => void;
}

export function Workspaces({ options, workspace, choose }: Props) {
  if (options.workspaces.length < 2) return null;
  return (
    <select class="field" aria-label="Workspace" value={workspace ?? options.workspaces[0]?.root} onChange={(event) => choose(event.currentTarget.value)}>
      {options.workspaces.map((it) => <option key={it.root} value={it.root}>{it.name}</option>)}
    </select>
  );
}
