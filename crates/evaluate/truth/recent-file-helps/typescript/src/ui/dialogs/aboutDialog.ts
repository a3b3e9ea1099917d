import { escapeHtml } from "../render";

export function aboutDialog(title: string): string {
  return `<dialog><h1>${escapeHtml(title)}</h1><form method="dialog"><button>OK</button></form></dialog>`;
}
