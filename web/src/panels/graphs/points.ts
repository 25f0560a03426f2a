/** Points of a plot on the screen. */

export interface PlotPoint {
  /** In pixels. */
  x: number;
  /** In ticks, or a number of an event. */
  value: number;
  event: number;
}

/** Upper end of the scale: the largest value, rounded up to one or two digits. */
export function topOf(largest: number): number {
  if (largest <= 1) return 1;
  const unit = 10 ** Math.floor(Math.log10(largest));
  const step = largest / unit > 5 ? unit : unit / 2;
  return Math.ceil(largest / step) * step;
}

/** Ends of the scale: from 0, or the smallest value if that is negative, to the largest. */
export function scaleOf(values: readonly number[]): { bottom: number; top: number } {
  const least = values.reduce((one, other) => Math.min(one, other), 0);
  const largest = values.reduce((one, other) => Math.max(one, other), 0);
  const bottom = least < 0 ? -topOf(-least) : 0;
  return { bottom, top: largest <= 0 && bottom < 0 ? 0 : topOf(largest) };
}

/** Nearest point within a distance in pixels; of several as near, the one with the largest value. */
export function nearestPoint(
  points: readonly PlotPoint[],
  at: { x: number; y: number },
  y: (value: number) => number,
  within: number,
): PlotPoint | null {
  let best: PlotPoint | null = null;
  let least = within;
  for (const point of points) {
    const distance = Math.hypot(point.x - at.x, y(point.value) - at.y);
    if (
      distance < least ||
      (distance === least && point.value > (best?.value ?? Number.NEGATIVE_INFINITY))
    ) {
      least = distance;
      best = point;
    }
  }
  return best;
}
