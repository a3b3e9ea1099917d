/** Keeps the keyboard inside of an element until the returned function is called. */
export function trapKeyboard(inside: HTMLElement, first?: string): () => void {
  const before = document.activeElement as HTMLElement | null;
  const stay = (event: FocusEvent) => {
    if (!inside.contains(event.target as Node)) inside.querySelector<HTMLElement>(first ?? "*")?.focus();
  };
  document.addEventListener("focusin", stay);
  return () => {
    document.removeEventListener("focusin", stay);
    before?.focus();
  };
}
