/** Marks search hits: at the upper edge of the lanes of their events, and in the ruler. */

import type { PlacedRow } from "../layout";
import type { Surface } from "../surface/surface";
import type { Transform } from "../transform";
import { type Frame, snap } from "./frame";
import { RULER_HEIGHT } from "./ruler";

const HEIGHT = 3;
/** Minimum width of a mark. */
const MIN_WIDTH = 2;

export function drawHits(surface: Surface, frame: Frame, rows: readonly PlacedRow[]): void {
  for (const placed of rows) {
    if (placed.row.kind !== "lane") continue;
    const now = frame.laneContents(placed.row.lane);
    if (now?.contents.hits) addMarks(frame, now.contents.hits, now.transform, placed.y);
  }
  surface.fill(frame.palette.hit, frame.shapes);
}

export function drawRulerHits(surface: Surface, frame: Frame): void {
  if (!frame.across?.answer.hits) return;
  addMarks(frame, frame.across.answer.hits, frame.across.transform, RULER_HEIGHT - HEIGHT - 1);
  surface.fill(frame.palette.hit, frame.shapes);
}

function addMarks(frame: Frame, hits: Uint8Array, { stretch, offset }: Transform, y: number): void {
  const { ratio, width, shapes } = frame;
  const from = Math.max(0, Math.floor(-offset / stretch));
  const to = Math.min(hits.length, Math.ceil((width - offset) / stretch));
  for (let first = from; first < to; first += 1) {
    if (hits[first] === 0) continue;
    let last = first;
    while (last + 1 < to && hits[last + 1] !== 0) last += 1;
    const left = snap(first * stretch + offset, ratio);
    const right = snap((last + 1) * stretch + offset, ratio);
    shapes.rectangle(left, y, Math.max(right - left, MIN_WIDTH), HEIGHT);
    first = last;
  }
}
