/** Parts of a trace, in the units of an axis. */

import type { Axis, Overview } from "../session/wire";

export interface Part {
  from: number;
  to: number;
}

/** The shortest part that can be shown: a tenth of a tick a pixel is more than enough. */
const SHORTEST: Record<Axis, number> = { time: 8, index: 2 };

/** The whole trace; never empty. */
export function limits(overview: Overview, axis: Axis): Part {
  const to = axis === "time" ? overview.span : overview.events;
  return { from: 0, to: Math.max(to, 1) };
}

/** The part moved and shortened so that it lies in the whole, with a small margin. */
export function clamp(part: Part, whole: Part, axis: Axis): Part {
  const margin = (whole.to - whole.from) * 0.02;
  const longest = whole.to - whole.from + 2 * margin;
  const middle = (part.from + part.to) / 2;
  const wanted = Math.max(part.to - part.from, Math.min(SHORTEST[axis], longest));
  const length = Math.min(wanted, longest);
  const lowest = whole.from - margin;
  const highest = whole.to + margin - length;
  const from = Math.min(Math.max(middle - length / 2, lowest), highest);
  return { from, to: from + length };
}
