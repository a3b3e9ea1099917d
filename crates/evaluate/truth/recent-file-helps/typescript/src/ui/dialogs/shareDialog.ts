import { escapeHtml } from "../render";

export function shareDialog(title: string): string {
  return `<dialog><h1>${escapeHtml(title)}</h1><form method="dialog"><button>Share</button></form></dialog>`;
}
