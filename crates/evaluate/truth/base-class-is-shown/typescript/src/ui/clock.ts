import { Widget } from "./widget";

/** Shows the time. */
export class Clock extends Widget {
  private time = new Date();

  tick(time: Date): void {
    this.time = time;
    <CURSOR: src/ui/widget.ts:Widget>
  }
}
