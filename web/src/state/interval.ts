/** Intervals of a trace, in the units of an axis. */

import type { Axis, Overview } from "../session/wire";

/** Position and length of a trace within its recording. */
export type Extent = Pick<Overview, "base" | "events" | "span">;

export interface Interval {
  start: number;
  end: number;
}

/** Shortest interval that can be shown: a tenth of a tick per pixel is more than enough. */
const MIN_LENGTH: Record<Axis, number> = { time: 8, index: 2 };

/** Full extent of the trace; never empty. */
export function limits({ base, events, span }: Extent, axis: Axis): Interval {
  const [from, length] = axis === "time" ? [base.time, span] : [base.event, events];
  return { start: from, end: from + Math.max(length, 1) };
}

/** Length of the shortest interval that can be shown. */
export function minLength(axis: Axis): number {
  return MIN_LENGTH[axis];
}

/** Moves and shortens an interval so that it is within `whole`, with a small margin. */
export function clamp(part: Interval, whole: Interval, axis: Axis): Interval {
  const margin = (whole.end - whole.start) * 0.02;
  const longest = whole.end - whole.start + 2 * margin;
  const middle = (part.start + part.end) / 2;
  const wanted = Math.max(part.end - part.start, Math.min(MIN_LENGTH[axis], longest));
  const length = Math.min(wanted, longest);
  const lowest = whole.start - margin;
  const highest = whole.end + margin - length;
  const from = Math.min(Math.max(middle - length / 2, lowest), highest);
  return { start: from, end: from + length };
}
