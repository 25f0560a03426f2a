/**
 * Ticks into time, and time into ticks: the only place that converts them. As in `rtoscope` on the
 * command line, times are rounded down to whole nanoseconds, and a time is the first tick at or
 * after it. Frequencies are in hertz.
 */

import type { Clock } from "../session/wire";

const NS_PER_SECOND = 1_000_000_000;

/** The clock's frequency for conversions; `null` if unknown or the clock does not measure time. */
export function usableFrequency(clock: Clock, hz: number | null): number | null {
  return clock.no_time === null ? hz : null;
}

/** Where a frequency is from, in words. */
const SOURCES: Record<string, string> = {
  recording: "from the recording",
  "command-line": "from the command line",
  "project-file": "from rtoscope.toml",
  notes: "from the notes",
  page: "set in the viewer",
};

/** Where the clock's frequency is from; `null` if it is unknown. */
export function clockSourceText(source: string | null): string | null {
  return source === null ? null : (SOURCES[source] ?? null);
}

/** Duration of ticks in nanoseconds, exact. */
export function nanosecondsOf(ticks: number, hz: number): bigint {
  return (BigInt(Math.round(ticks)) * BigInt(NS_PER_SECOND)) / wholeHertz(hz);
}

/** Duration of a tick in nanoseconds, for drawing. */
export function tickLength(hz: number): number {
  return NS_PER_SECOND / hz;
}

/** The first tick at or after a time, `numerator / denominator` nanoseconds. */
export function firstTick(numerator: bigint, denominator: bigint, hz: number): number {
  const scaled = numerator * wholeHertz(hz);
  const whole = BigInt(NS_PER_SECOND) * denominator;
  return Number((scaled + whole - 1n) / whole);
}

/** Ticks in a number of seconds. */
export function ticksIn(seconds: number, hz: number): number {
  return seconds * hz;
}

function wholeHertz(hz: number): bigint {
  return BigInt(Math.max(1, Math.round(hz)));
}
