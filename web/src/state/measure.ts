/** Measurements in the browser's performance timeline. */

const counts = new Map<string, number>();

/** Adds a measurement; of each name, at most `most` are kept. */
export function measure(name: string, options: PerformanceMeasureOptions, most = 1000): void {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  if (count % most === 0) performance.clearMeasures(name);
  performance.measure(name, options);
}
