/** Shades priority inversions: the blocked thread and the owner of the mutex. */

import { NONE } from "../../session/lanes";
import type { PlacedRow } from "../layout";
import type { Surface } from "../surface/surface";
import { type Frame, snap } from "./frame";

const UNBOUNDED = 1;

/**
 * Weak colour for bounded inversions and those that may be either, strong colour for unbounded
 * ones.
 */
export function drawInversions(surface: Surface, frame: Frame, pinned: boolean): void {
  const inversions = frame.across?.answer.inversions;
  if (!frame.options.inversions || frame.across === null || !inversions) return;
  const { stretch, offset } = frame.across.transform;
  const { batch, palette, ratio, width } = frame;
  const shade = (placed: PlacedRow | null, left: number, right: number, unbounded: boolean) => {
    if (placed === null || placed.pinned !== pinned) return;
    const x0 = snap(Math.max(left, -4), ratio);
    const wide = Math.max(snap(Math.min(right, width + 4), ratio) - x0, 1);
    const { y, height } = placed;
    if (y > frame.height || y + height < 0) return;
    batch.of(unbounded ? palette.unbounded : palette.bounded).rectangle(x0, y, wide, height - 1);
    const edge = batch.of(unbounded ? palette.unboundedEdge : palette.boundedEdge);
    const thick = unbounded ? 2 : 1;
    edge.rectangle(x0, y, wide, thick);
    edge.rectangle(x0, y + height - 1 - thick, wide, thick);
  };
  for (let index = 0; index < inversions.x0.length; index += 1) {
    const left = (inversions.x0[index] ?? 0) * stretch + offset;
    const right = (inversions.x1[index] ?? 0) * stretch + offset;
    if (right < 0 || left > width) continue;
    const unbounded = inversions.unbounded[index] === UNBOUNDED;
    shade(frame.rowOfContext(inversions.blocked[index] ?? NONE), left, right, unbounded);
    shade(frame.rowOfContext(inversions.owner[index] ?? NONE), left, right, unbounded);
  }
  batch.flush((colour, rectangles) => surface.fill(colour, rectangles));
}
