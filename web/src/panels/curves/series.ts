/** Step data of a graph for plotting. */

import type { Graph } from "../../session/wire";

/** Positions, maxima and minima; each value holds until the next position. */
export type Series = [number[], (number | null)[], (number | null)[]];

/** Data with an additional point that extends the last value to `end`. */
export function series({ positions: at, min: low, max: high }: Graph, end: number): Series {
  const last = at.at(-1);
  if (last === undefined || last >= end) return [at, high, low];
  return [
    [...at, end],
    [...high, high.at(-1) ?? null],
    [...low, low.at(-1) ?? null],
  ];
}

/** Range of values at a position; `null` if unknown. */
export function valueAt({ positions: at, min: low, max: high }: Graph, position: number): [number, number] | null {
  let [first, behind] = [0, at.length];
  while (first < behind) {
    const middle = (first + behind) >> 1;
    if ((at[middle] ?? 0) <= position) first = middle + 1;
    else behind = middle;
  }
  const [lowest, highest] = [low[first - 1], high[first - 1]];
  return lowest == null || highest == null ? null : [lowest, highest];
}

/** Maximum of the scale: the limit, unless that is far above all values. */
export function highest({ max: high, limit }: Graph): number {
  let most = 1;
  for (const value of high) if (value !== null && value > most) most = value;
  return limit !== null && limit > most && limit <= most * 4 ? limit : most;
}

/** Upper end of the plot, with some room above the maximum. */
export function top(curve: Graph, isPercent: boolean): number {
  return isPercent ? 100 : highest(curve) * 1.05;
}
