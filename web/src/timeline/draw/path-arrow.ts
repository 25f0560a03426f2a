/** Arrows of paths that change lanes. */

import type { Frame } from "./frame";

/** Length and half the width of an arrowhead. */
const HEAD = 7;
const HEAD_HALF = 4;

/** A point in pixels. */
export type PathPoint = readonly [number, number];

/** The horizontal pixel of a position; positions out of sight are just beyond the edge. */
export function pathX({ scale, width }: Frame, at: number): number {
  return Math.min(Math.max(scale.x(at), -HEAD), width + HEAD);
}

/** Adds an arrow that ends vertically in another lane, with its head in `heads`. */
export function addPathArrow(
  { shapes }: Frame,
  heads: ReturnType<Frame["batch"]["of"]>,
  [x0, y0]: PathPoint,
  [x1, y1]: PathPoint,
): void {
  const tail = y1 > y0 ? -HEAD : HEAD;
  shapes.line(x0, y0, x1, y1 + tail);
  heads.triangle(x1, y1, x1 - HEAD_HALF, y1 + tail, x1 + HEAD_HALF, y1 + tail);
}
