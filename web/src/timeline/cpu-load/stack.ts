/** Geometry of the CPU load: bands of contexts above each other, by parts of the window. */

import type { ContextLoad, CpuLoad } from "../../session/wire";

/** Share of a context in a part, as fractions of the row's height from the bottom. */
export interface Band {
  of: ContextLoad;
  low: number;
  high: number;
}

/** A part of the window and a band in it. */
export interface LoadPart {
  /** Number of the core; `null` for all. */
  core: number | null;
  /** Edges on the axis. */
  start: number;
  end: number;
  /** Context at the pointer; `null` if it points at idle time. */
  of: ContextLoad | null;
}

/** Identifies a context from answer to answer. */
export function keyOf({ kind, name, context }: ContextLoad): string {
  return context === null ? `${kind} ${name}` : `thread ${context}`;
}

/**
 * Contexts from the bottom to the top: the selected one, the others, then unknown time. Idle time
 * is the room above.
 */
export function stacked(load: CpuLoad, selected: string | null): ContextLoad[] {
  const rank = (of: ContextLoad) =>
    of.kind === "unknown" ? 2 : selected !== null && keyOf(of) === selected ? 0 : 1;
  return load.contexts
    .filter(({ kind }) => kind !== "idle")
    .sort((one, other) => rank(one) - rank(other));
}

/** Number of the part at a position; `null` outside. */
export function partAt({ positions }: CpuLoad, at: number): number | null {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 || low >= positions.length ? null : low - 1;
}

/** Length of a part on all its cores: ticks, or events. */
export function lengthOf({ positions, cores }: CpuLoad, part: number): number {
  return ((positions[part + 1] ?? 0) - (positions[part] ?? 0)) * cores;
}

/** Band at a height, a fraction from the bottom; `null` in idle time. */
export function bandAt(
  load: CpuLoad,
  part: number,
  height: number,
  selected: string | null,
): Band | null {
  const whole = lengthOf(load, part);
  if (whole <= 0) return null;
  let low = 0;
  for (const of of stacked(load, selected)) {
    const high = low + (of.lengths[part] ?? 0) / whole;
    if (height >= low && height < high) return { of, low, high };
    low = high;
  }
  return null;
}
