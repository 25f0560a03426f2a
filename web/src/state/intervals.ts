/** User-defined intervals that a trace's view shows. */

import type { IntervalFilters, Overview } from "../session/wire";

/** Intervals with a lane. */
export interface ShownIntervals {
  name: string;
  filters: IntervalFilters;
  /** Maximum duration in ticks, if one is declared. */
  deadlineTicks: number | null;
}

/** Effects of a start while an interval is open. */
export const REPEATED = ["restart", "first", "nested"] as const;

const MAX_SHOWN = 8;

/** Unique key of intervals. */
export function intervalsKey({ filters: { from, to, by, repeated } }: ShownIntervals): string {
  return JSON.stringify([from, to, by, repeated]);
}

/** Intervals by their key, with the name that reports give them. */
export function namedIntervals(filters: IntervalFilters): ShownIntervals {
  const { from, to, by, repeated } = filters;
  const pairing = by === "" ? "" : ` [by ${by}]`;
  const effect = repeated === "restart" ? "" : ` [${repeated}]`;
  return { name: `${from} -> ${to}${pairing}${effect}`, filters, deadlineTicks: null };
}

/** Intervals that were declared when the trace was opened. */
export function declaredIntervals({ intervals }: Overview): ShownIntervals[] {
  return intervals.map(({ name, filters, deadline: deadlineTicks }) => ({
    name,
    filters,
    deadlineTicks,
  }));
}

/** Intervals with others added. */
export function withIntervals(
  shown: readonly ShownIntervals[],
  added: ShownIntervals,
): ShownIntervals[] {
  if (shown.some((one) => intervalsKey(one) === intervalsKey(added))) return [...shown];
  return [...shown.slice(-MAX_SHOWN + 1), added];
}

/** Intervals as a part of the address; empty if they are the declared ones. */
export function encodeIntervals(shown: readonly ShownIntervals[], overview: Overview): string {
  const keys = (all: readonly ShownIntervals[]) => all.map(intervalsKey);
  const [now, declared] = [keys(shown), keys(declaredIntervals(overview))];
  return JSON.stringify(now) === JSON.stringify(declared) ? "" : `[${now.join()}]`;
}

/** Intervals of an address; those that it misspells are ignored. */
export function decodeIntervals(text: string, overview: Overview): ShownIntervals[] {
  const declared = declaredIntervals(overview);
  if (text === "") return declared;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return declared;
  }
  if (!Array.isArray(parsed)) return declared;
  const all = parsed.flatMap((one: unknown): ShownIntervals[] => {
    if (!Array.isArray(one) || one.length !== 4) return [];
    const [from, to, by, repeated] = one.map((part: unknown) =>
      typeof part === "string" ? part : "",
    );
    if (!from || !to || !repeated) return [];
    return [namedIntervals({ from, to, by: by ?? "", repeated })];
  });
  return all
    .slice(0, MAX_SHOWN)
    .map((one) => declared.find((other) => intervalsKey(other) === intervalsKey(one)) ?? one);
}
