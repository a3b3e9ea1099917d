/** A panel that slides in from the side. */
export class Panel {
  private open = false;

  constructor(private readonly element: HTMLElement) {}

  show(): void {
    this.open = true;
    this.element.hidden = false;
    this.element.classList.add("sliding");
  }

  hide(): void {
    this.open = false;
    this.element.hidden = true;
  }
}
