/** How positions of a recording correspond to those of another one. */

import type { Axis } from "../../session/wire";
import { type Extent, type Interval, limits } from "../interval";
import type { Moment } from "../trace";

/** Maps positions of the baseline to those of the recording: `offset + position × rate`. */
export interface AxisLink {
  offset: number;
  rate: number;
}

/** Moments of the baseline and of the recording that are at the same place on the screen. */
export type Anchors = readonly [Moment, Moment];

/** Clock frequencies of the baseline and of the recording, in hertz. */
export type Clocks = readonly [number | null, number | null];

/**
 * The link of two recordings on an axis: by time, by ticks if neither clock is known, by events in
 * the sequential view; `null` if only one clock is known, as no rate relates the two.
 */
export function linkOf(axis: Axis, [before, after]: Clocks, [from, to]: Anchors): AxisLink | null {
  if (axis === "index") return { offset: to.event - from.event, rate: 1 };
  if ((before === null) !== (after === null)) return null;
  const rate = before === null || after === null ? 1 : after / before;
  return { offset: to.time - from.time * rate, rate };
}

/** The same link in the other direction. */
export function inverse({ offset, rate }: AxisLink): AxisLink {
  return { offset: -offset / rate, rate: 1 / rate };
}

/** A position by a link. */
export const linked = ({ offset, rate }: AxisLink, at: number): number => offset + at * rate;

/** An interval by a link. */
export function linkedInterval(link: AxisLink, { start, end }: Interval): Interval {
  return { start: linked(link, start), end: linked(link, end) };
}

/** What both recordings together cover, on the axis of the first: `link` maps to the second. */
export function commonExtent(
  axis: Axis,
  link: AxisLink,
  [own, other]: readonly [Extent, Extent],
): Interval {
  const whole = limits(own, axis);
  const mapped = linkedInterval(inverse(link), limits(other, axis));
  return {
    start: Math.min(whole.start, mapped.start),
    end: Math.max(whole.end, mapped.end),
  };
}
