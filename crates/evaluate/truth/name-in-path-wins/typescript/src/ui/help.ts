/** The text of the help page: the keyboard, its shortcuts, and the mouse. */
export function helpText(): string {
  return [
    "Keyboard shortcuts",
    "The keyboard is faster than the mouse. These shortcuts of the keyboard are there:",
    "n makes a card, e edits it, the keyboard shortcut for search is /.",
    "Shortcuts can be turned off. A keyboard without letters has no shortcuts.",
  ].join("\n");
}
