/** The points of a curve as a plot draws them, in steps. */

import type { Curve } from "../../session/wire";

/** Positions, the highest values and the lowest; each holds until the next. */
export type Series = [number[], (number | null)[], (number | null)[]];

/** The points, with one more at the end so that the last value is drawn that far. */
export function series({ at, low, high }: Curve, end: number): Series {
  const last = at.at(-1);
  if (last === undefined || last >= end) return [at, high, low];
  return [
    [...at, end],
    [...high, high.at(-1) ?? null],
    [...low, low.at(-1) ?? null],
  ];
}

/** The value at a position: the range of the point that holds there. `null` if it is not known. */
export function valueAt({ at, low, high }: Curve, position: number): [number, number] | null {
  let [first, behind] = [0, at.length];
  while (first < behind) {
    const middle = (first + behind) >> 1;
    if ((at[middle] ?? 0) <= position) first = middle + 1;
    else behind = middle;
  }
  const [lowest, highest] = [low[first - 1], high[first - 1]];
  return lowest == null || highest == null ? null : [lowest, highest];
}

/** The highest value that the plot shows: the limit, unless that is far above all that happened. */
export function highest({ high, limit }: Curve): number {
  let most = 1;
  for (const value of high) if (value !== null && value > most) most = value;
  return limit !== null && limit > most && limit <= most * 4 ? limit : most;
}

/** Where the plot ends, with some room above the highest value. */
export function top(curve: Curve, isPercent: boolean): number {
  return isPercent ? 100 : highest(curve) * 1.05;
}
