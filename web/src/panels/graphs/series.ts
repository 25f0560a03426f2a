/** Step data of a graph for plotting. */

import type { Graph } from "../../session/wire";

/** Positions, maxima and minima; each value holds until the next position. */
export type Series = [number[], (number | null)[], (number | null)[]];

/** Data with an additional point that extends the last value to `end`. */
export function series({ positions, min, max }: Graph, end: number): Series {
  const last = positions.at(-1);
  if (last === undefined || last >= end) return [positions, max, min];
  return [
    [...positions, end],
    [...max, max.at(-1) ?? null],
    [...min, min.at(-1) ?? null],
  ];
}

/** Range of values at a position; `null` if unknown. */
export function valueAt({ positions, min, max }: Graph, position: number): [number, number] | null {
  let [first, last] = [0, positions.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((positions[middle] ?? 0) <= position) first = middle + 1;
    else last = middle;
  }
  const [lowest, highest] = [min[first - 1], max[first - 1]];
  return lowest == null || highest == null ? null : [lowest, highest];
}

/** Maximum of the scale: the limit, unless that is far above all values. */
export function scaleMax({ max, limit }: Graph): number {
  let highest = 1;
  for (const value of max) if (value !== null && value > highest) highest = value;
  return limit !== null && limit > highest && limit <= highest * 4 ? limit : highest;
}

/** Upper end of the plot, with some room above the maximum. */
export function plotTop(graph: Graph, isPercent: boolean): number {
  return isPercent ? 100 : scaleMax(graph) * 1.05;
}
