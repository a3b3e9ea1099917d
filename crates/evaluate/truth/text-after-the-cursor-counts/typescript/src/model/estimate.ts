/** How long a card will take, in hours, and how sure that is. */
export class Estimate {
  constructor(readonly hours: number, readonly spread: number) {}

  plus(other: Estimate): Estimate {
    return new Estimate(this.hours + other.hours, Math.hypot(this.spread, other.spread));
  }

  atWorst(): number {
    return this.hours + 2 * this.spread;
  }
}
