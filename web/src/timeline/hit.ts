/** Hit testing. */

import type { ListedBars, ListedEvents } from "../session/lanes";
import type { Post } from "../session/wire";
import type { LoadPart } from "./cpu-load/stack";
import type { DrawnLane } from "./draw/frame";
import type { PlacedRow } from "./layout";
import { lowerBound, type Transform } from "./transform";

/** An event or a bar of a lane. */
export interface HitItem {
  event: number;
  /** Start and end in pixels. */
  left: number;
  right: number;
}

/** The row under the pointer, and what is hit in it. */
export interface Hit {
  placed: PlacedRow;
  /** Position in the units of the axis. */
  at: number;
  /** Pixels from the top of the lanes. */
  y: number;
  event: HitItem | null;
  bar: HitItem | null;
  /** Post whose arrow is hit. */
  post: Post | null;
  /** Part of the CPU load. */
  load: LoadPart | null;
  /** Item of the result of a query, by its number in the lane. */
  result: number | null;
}

/** Hit distance of events in pixels. */
const HIT_DISTANCE = 8;

/** Event nearest to a pixel, within the hit distance. */
export function eventNear(
  { x: all, event }: ListedEvents,
  { stretch, offset }: Transform,
  x: number,
  near = HIT_DISTANCE,
): HitItem | null {
  const after = lowerBound(all, (x - offset) / stretch);
  let best: HitItem | null = null;
  let least = near;
  for (const index of [after - 1, after]) {
    const at = all[index];
    const number = event[index];
    if (at === undefined || number === undefined) continue;
    const middle = at * stretch + offset;
    const distance = Math.abs(middle - x);
    if (distance > least) continue;
    least = distance;
    best = { event: number, left: middle, right: middle };
  }
  return best;
}

/** Bar at a pixel; of several, the one that starts last. */
export function barAt(
  { start, end, event }: ListedBars,
  { stretch, offset }: Transform,
  x: number,
): HitItem | null {
  for (let index = lowerBound(start, (x - offset) / stretch); index >= 0; index -= 1) {
    const left = (start[index] ?? Infinity) * stretch + offset;
    const right = (end[index] ?? -Infinity) * stretch + offset;
    if (left <= x && x < right) return { event: event[index] ?? 0, left, right };
  }
  return null;
}

/** Event and bar of a lane at a pixel. */
export function itemsAt(now: DrawnLane | null, x: number): Pick<Hit, "event" | "bar"> {
  if (now === null) return { event: null, bar: null };
  const {
    contents: { bars, events },
    transform,
  } = now;
  return {
    event: events.listed ? eventNear(events, transform, x) : null,
    bar: bars.listed ? barAt(bars, transform, x) : null,
  };
}
