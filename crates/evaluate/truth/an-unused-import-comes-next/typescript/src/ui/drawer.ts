import { trapKeyboard } from "./focus";

/** A drawer that slides in from below. */
export class Drawer {
  private open = false;

  constructor(private readonly element: HTMLElement) {}

  show(): void {
    this.open = true;
    this.element.hidden = false;
    <CURSOR: src/ui/focus.ts:trapKeyboard>
  }

  hide(): void {
    this.open = false;
    this.element.hidden = true;
  }
}
