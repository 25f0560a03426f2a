/** Intervals of a trace, in the units of an axis. */

import type { Axis, Overview } from "../session/wire";

/** Position and length of a trace within its recording. */
export type Extent = Pick<Overview, "base" | "events" | "span">;

export interface Interval {
  from: number;
  to: number;
}

/** Shortest interval that can be shown: a tenth of a tick per pixel is more than enough. */
const MIN_LENGTH: Record<Axis, number> = { time: 8, index: 2 };

/** Full extent of the trace; never empty. */
export function limits({ base, events, span }: Extent, axis: Axis): Interval {
  const [from, length] = axis === "time" ? [base.time, span] : [base.event, events];
  return { from, to: from + Math.max(length, 1) };
}

/** Length of the shortest interval that can be shown. */
export function minLength(axis: Axis): number {
  return MIN_LENGTH[axis];
}

/** Moves and shortens an interval so that it is within `whole`, with a small margin. */
export function clamp(part: Interval, whole: Interval, axis: Axis): Interval {
  const margin = (whole.to - whole.from) * 0.02;
  const longest = whole.to - whole.from + 2 * margin;
  const middle = (part.from + part.to) / 2;
  const wanted = Math.max(part.to - part.from, Math.min(MIN_LENGTH[axis], longest));
  const length = Math.min(wanted, longest);
  const lowest = whole.from - margin;
  const highest = whole.to + margin - length;
  const from = Math.min(Math.max(middle - length / 2, lowest), highest);
  return { from, to: from + length };
}
