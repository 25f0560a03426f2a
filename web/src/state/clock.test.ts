import { expect, it } from "vitest";
import type { Clock } from "../session/wire";
import { firstTick, nanosecondsOf, tickLength, ticksIn, usableFrequency } from "./clock";

it("is exact where floating point is not", () => {
  expect(nanosecondsOf(3, 25_000_000)).toBe(120n);
  expect(nanosecondsOf(9_007_199_254_740_991, 1)).toBe(9_007_199_254_740_991_000_000_000n);
  // 1/3 s in ticks of 3 Hz is rounded down as on the command line.
  expect(nanosecondsOf(1, 3)).toBe(333_333_333n);
});

it("finds the tick that is shown as a time", () => {
  for (const hz of [3, 32_768, 3_000_000, 25_000_000, 999_999_999]) {
    for (const tick of [0, 1, 2, 1000, 123_456_789]) {
      expect(firstTick(nanosecondsOf(tick, hz), 1n, hz)).toBe(tick);
    }
  }
  expect(firstTick(81n, 1n, 25_000_000)).toBe(3);
  expect(firstTick(3n, 2n, 1_000_000_000)).toBe(2);
});

it("has lengths for drawing", () => {
  expect(tickLength(25_000_000)).toBe(40);
  expect(ticksIn(2, 1000)).toBe(2000);
});

it("has no times if the clock does not measure time", () => {
  const clock: Clock = {
    source: null,
    frequency_hz: null,
    quality: "event-counter",
    no_time: "the clock counts events: only the order of events is known",
    direction: "up",
    bits: 32,
  };
  expect(usableFrequency(clock, 1_000_000)).toBeNull();
  expect(usableFrequency({ ...clock, quality: "good", no_time: null }, 1000)).toBe(1000);
  expect(usableFrequency({ ...clock, quality: "good", no_time: null }, null)).toBeNull();
});
