// Links that open a place in an editor. Which editor is a setting of the page.

import { useEffect, useState } from "preact/hooks";
import { recall, remember } from "./stored";

type Address = (path: string, line: number) => string;

/** The editors whose addresses are known; `file` leaves it to the system, and browsers refuse it on pages of servers. */
export const EDITORS: readonly { id: string; title: string; address: Address }[] = [
  { id: "vscode", title: "Visual Studio Code", address: (path, line) => `vscode://file${path}:${line}` },
  { id: "vscodium", title: "VSCodium", address: (path, line) => `vscodium://file${path}:${line}` },
  { id: "cursor", title: "Cursor", address: (path, line) => `cursor://file${path}:${line}` },
  { id: "windsurf", title: "Windsurf", address: (path, line) => `windsurf://file${path}:${line}` },
  { id: "zed", title: "Zed", address: (path, line) => `zed://file${path}:${line}` },
  { id: "idea", title: "JetBrains", address: (path, line) => `idea://open?file=${path}&line=${line}` },
  { id: "file", title: "file://", address: (path, line) => `file://${path}#L${line}` },
];

/** A path as part of an address: nothing in it can end the address or begin another part. */
function encoded(root: string, path: string): string {
  const whole = `${root}/${path}`.replaceAll("\\", "/").replace(/^(?!\/)/, "/");
  return whole.split("/").map((it) => encodeURIComponent(it).replaceAll("%3A", ":")).join("/");
}

export function addressOf(editor: string, root: string, path: string, line: number): string | null {
  const known = EDITORS.find((it) => it.id === editor);
  return known ? known.address(encoded(root, path), line) : null;
}

const listeners = new Set<(editor: string) => void>();

/** The editor that links open, and how to choose another; `none` for no links. */
export function useEditor(): [string, (editor: string) => void] {
  const [editor, set] = useState(recall("editor") ?? "vscode");
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  const choose = (editor: string) => {
    remember("editor", editor);
    listeners.forEach((it) => it(editor));
  };
  return [editor, choose];
}
