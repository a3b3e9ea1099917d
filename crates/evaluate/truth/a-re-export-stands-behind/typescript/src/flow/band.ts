/** How many cards of a column had entered it by a day. */
export function flowBand(column: string[], day: string): number {
  return column.filter((entered) => entered <= day).length;
}
