/** Shades priority inversions: the blocked thread and the owner of the mutex. */

import { type InversionShares, NONE } from "../../session/lanes";
import { translucent } from "../colour";
import type { PlacedRow } from "../layout";
import type { Surface } from "../surface/surface";
import { type Frame, snap } from "./frame";

const UNBOUNDED = 1;
/** Number of strengths of the shade of inversions that are too close to each other. */
const SHARE_LEVELS = 6;
/** Opacity of the strongest. */
const MAX_SHARE_OPACITY = 0.5;

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
  for (const shares of frame.across.answer.inversionShares) {
    const placed = shares.context === NONE ? null : frame.rowOfContext(shares.context);
    if (placed === null || placed.pinned !== pinned) continue;
    drawShares(surface, frame, placed, shares);
  }
}

/** Shades inversions that are too close to each other: the longer they last, the stronger. */
function drawShares(
  surface: Surface,
  frame: Frame,
  { y, height }: PlacedRow,
  { bounded, unbounded }: InversionShares,
): void {
  const { palette, width, ratio, shapes } = frame;
  const { stretch, offset } = frame.across?.transform ?? { stretch: 1, offset: 0 };
  const from = Math.max(0, Math.floor(-offset / stretch));
  const to = Math.min(bounded.length, Math.ceil((width - offset) / stretch));
  for (const [layer, colour] of [
    [bounded, palette.boundedEdge],
    [unbounded, palette.unboundedEdge],
  ] as const) {
    for (let level = 1; level <= SHARE_LEVELS; level += 1) {
      // The square root, because inversions are short.
      const levelOf = (pixel: number) =>
        Math.ceil(Math.sqrt((layer[pixel] ?? 0) / 255) * SHARE_LEVELS);
      for (let first = from; first < to; first += 1) {
        if (levelOf(first) !== level) continue;
        let end = first + 1;
        while (end < to && levelOf(end) === level) end += 1;
        const x0 = snap(first * stretch + offset, ratio);
        const wide = snap(end * stretch + offset, ratio) - x0;
        shapes.rectangle(x0, y, wide, height - 1);
        first = end - 1;
      }
      surface.fill(translucent(colour, (MAX_SHARE_OPACITY * level) / SHARE_LEVELS), shapes);
    }
  }
}
