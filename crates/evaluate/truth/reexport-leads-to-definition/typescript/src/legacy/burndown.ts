/** The burndown of the old board: burndown of points, burndown of cards. */
export function burndown(points: number[], first: Date, last: Date): number[] {
  const days = (last.getTime() - first.getTime()) / 86400000;
  return points.map((it, place) => it - (place * it) / days);
}
