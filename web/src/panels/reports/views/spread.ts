/** Where durations lie between the shortest and the longest. */

import type { Distribution } from "../document";

/** Durations of one of the parts into which the percentiles divide them. */
export interface Band {
  from: number;
  to: number;
  /** How many percent of all durations lie in each hundredth of the width. */
  density: number;
}

/** So wide is a band at least, as part of the whole: many durations may be the same. */
const NARROWEST = 0.01;

/** From 0 for the shortest to 1 for the longest. Long tails are drawn on a logarithmic scale. */
export function position(ticks: number, { min, p90, max }: Distribution): number {
  if (max <= min) return 0;
  const isLong = max - min > 20 * Math.max(1, p90 - min);
  if (!isLong) return (ticks - min) / (max - min);
  return Math.log1p(ticks - min) / Math.log1p(max - min);
}

/** The parts between the percentiles; those in which nothing lies are left out. */
export function bands(of: Distribution): Band[] {
  const edges = [
    { at: of.p50, percent: 50 }, { at: of.p90, percent: 40 },
    { at: of.p99, percent: 9 }, { at: of.max, percent: 1 },
  ];
  const found: { from: number; to: number; percent: number }[] = [];
  let from = of.min;
  for (const { at, percent } of edges) {
    const last = found.at(-1);
    if (last && at === from) last.percent += percent;
    else found.push({ from, to: at, percent });
    from = at;
  }
  return found.map(({ from: start, to, percent }) => {
    const width = Math.max(NARROWEST, position(to, of) - position(start, of));
    return { from: start, to, density: percent / (width * 100) };
  });
}
