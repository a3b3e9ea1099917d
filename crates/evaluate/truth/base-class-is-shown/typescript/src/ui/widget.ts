/** A part of the page that draws itself. */
export abstract class Widget {
  private scheduled = false;

  constructor(protected readonly root: HTMLElement) {}

  protected abstract draw(): string;

  protected invalidate(): void {
    if (!this.scheduled) {
      this.scheduled = true;
      requestAnimationFrame(() => {
        this.scheduled = false;
        this.root.innerHTML = this.draw();
      });
    }
  }
}
