import { escapeHtml } from "../render";

export function deleteDialog(title: string): string {
  return `<dialog><h1>${escapeHtml(title)}</h1><form method="dialog"><button>Delete</button></form></dialog>`;
}
