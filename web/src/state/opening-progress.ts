/** Progress of opening a trace on the server. */

import { openingProgress } from "../session/client";
import type { OpeningProgress } from "../session/wire";

/** Interval between two looks at the progress in milliseconds. */
const INTERVAL = 100;

/** Calls `show` with the progress of opening a trace until `opened` settles. */
export async function followProgress(
  id: number,
  opened: Promise<unknown>,
  show: (progress: OpeningProgress) => void,
): Promise<void> {
  let isSettled = false;
  const settled = opened.then(
    () => undefined,
    // Whoever waits for the trace reports it.
    () => undefined,
  );
  void settled.then(() => {
    isSettled = true;
  });
  while (!isSettled) {
    const progress = await openingProgress(id).catch(() => null);
    if (progress === null || isSettled) return;
    show(progress);
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, INTERVAL))]);
  }
}

/** Fraction of the current phase that is done, 0 to 1; `null` if unknown. */
export function fractionDone({ done, total }: OpeningProgress): number | null {
  return total === null || total === 0 ? null : Math.min(1, done / total);
}

/**
 * Fraction of the span up to which the events are analysed, 0 to 1; `null` before the recording is
 * decoded.
 */
export function analysedSpan({ phase, done, density }: OpeningProgress): number | null {
  if (density === null) return null;
  if (phase === "indexing") return 1;
  let left = phase === "analysis" ? done : 0;
  for (const [bucket, count] of density.counts.entries()) {
    if (left < count) return (bucket + left / count) / density.counts.length;
    left -= count;
  }
  return 1;
}
