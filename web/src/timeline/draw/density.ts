/** The scale of density strips: the number of events a pixel, logarithmic. */

import { type BinnedEvents, doublingsOf, type LaneContents } from "../../session/lanes";
import type { DensityScale } from "../../state/trace";

/** Part of the pixels with events, the emptiest of them, that may be below the scale. */
const BELOW = 0.05;

/** One scale for lanes, so that their strips compare; `null` if none has a strip with events. */
export function densityScale(lanes: Iterable<LaneContents>): DensityScale | null {
  const pixels = new Uint32Array(256);
  let total = 0;
  for (const { events } of lanes) {
    if (events.listed) continue;
    const { byDensity, count } = pixelsOf(events);
    for (let density = 1; density < 256; density += 1) {
      pixels[density] = (pixels[density] ?? 0) + (byDensity[density] ?? 0);
    }
    total += count;
  }
  if (total === 0) return null;
  let low = 0;
  for (let below = 0; below <= BELOW * total; low += 1) below += pixels[low + 1] ?? 0;
  const high = pixels.findLastIndex((count) => count > 0);
  const first = Math.floor(doublingsOf(low));
  return { low: first, high: Math.max(Math.ceil(doublingsOf(high)), first + 1) };
}

/** Number of pixels by density, and of all that have events. */
interface PixelCounts {
  byDensity: Uint32Array;
  count: number;
}

const known = new WeakMap<BinnedEvents, PixelCounts>();

function pixelsOf(events: BinnedEvents): PixelCounts {
  const kept = known.get(events);
  if (kept !== undefined) return kept;
  const byDensity = new Uint32Array(256);
  for (const density of events.density) byDensity[density] = (byDensity[density] ?? 0) + 1;
  const counts = { byDensity, count: events.density.length - (byDensity[0] ?? 0) };
  known.set(events, counts);
  return counts;
}

/** Position of a density on the scale, 0 to 1. */
export function heatOf(density: number, { low, high }: DensityScale): number {
  return Math.min(Math.max((doublingsOf(density) - low) / (high - low), 0), 1);
}
