// Rectangles with areas proportional to values: squarified treemaps (Bruls, Huizing and van Wijk 2000).

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One box for each value, in the order of the values, which should be the largest first. */
export function squarify(values: number[], within: Box): Box[] {
  const total = values.reduce((sum, it) => sum + it, 0);
  const res: Box[] = [];
  let { x, y, width, height } = within;
  const scale = total > 0 ? (width * height) / total : 0;
  for (let start = 0; start < values.length; ) {
    const side = Math.max(1e-6, Math.min(width, height));
    let end = start + 1;
    let sum = (values[start] ?? 0) * scale;
    while (end < values.length && worst(values, start, end + 1, sum + (values[end] ?? 0) * scale, scale, side) <= worst(values, start, end, sum, scale, side)) {
      sum += (values[end] ?? 0) * scale;
      end += 1;
    }
    const thickness = sum / side;
    let along = 0;
    for (const value of values.slice(start, end)) {
      const length = thickness > 0 ? (value * scale) / thickness : 0;
      res.push(width >= height
        ? { x, y: y + along, width: thickness, height: length }
        : { x: x + along, y, width: length, height: thickness });
      along += length;
    }
    if (width >= height) [x, width] = [x + thickness, width - thickness];
    else [y, height] = [y + thickness, height - thickness];
    start = end;
  }
  return res;
}

/** The worst aspect ratio when the values from `start` to `end` make one row along `side`. */
function worst(values: number[], start: number, end: number, sum: number, scale: number, side: number): number {
  let [low, high] = [Infinity, 0];
  for (const value of values.slice(start, end)) [low, high] = [Math.min(low, value * scale), Math.max(high, value * scale)];
  const square = sum * sum;
  return square > 0 && low > 0 ? Math.max((side * side * high) / square, square / (side * side * low)) : Infinity;
}

/** A little smaller on all sides, with more room at the top. */
export function inset(it: Box, by: number, top = by): Box {
  return { x: it.x + by, y: it.y + top, width: Math.max(0, it.width - 2 * by), height: Math.max(0, it.height - by - top) };
}
