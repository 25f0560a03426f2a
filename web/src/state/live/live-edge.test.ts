import { describe, expect, it } from "vitest";
import { LiveEdge } from "./live-edge";

const FRAME = 16;

/**
 * Feeds samples at intervals, for a recording of `rate` units per millisecond; returns what each
 * frame shows.
 */
function play(intervals: readonly number[], rate: number, length: number) {
  const edge = new LiveEdge(0);
  const shown: { now: number; at: number; known: number }[] = [];
  let [now, next, known] = [0, 0, 0];
  for (const interval of intervals) {
    next += interval;
    for (; now < next; now += FRAME) {
      const at = edge.at(now, length);
      if (at !== null) shown.push({ now, at, known });
    }
    known = next * rate;
    edge.sample(next, known);
  }
  return shown;
}

describe("the live edge", () => {
  it("moves evenly, and never back or past the last sample", () => {
    const shown = play(
      Array.from({ length: 100 }, (_, at) => 50 + (at % 3) * 20),
      1000,
      2_000_000,
    );
    const steps = shown.slice(1).map((one, at) => one.at - (shown[at]?.at ?? 0));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    for (const { at, known } of shown) expect(at).toBeLessThanOrEqual(known);
    // Once the rate is known, no frame stands still and none jumps.
    const later = steps.slice(steps.length / 2);
    expect(Math.min(...later)).toBeGreaterThan(0.5 * FRAME * 1000);
    expect(Math.max(...later)).toBeLessThan(1.6 * FRAME * 1000);
    // It lags by little more than one interval between samples.
    const last = shown.at(-1);
    expect((last?.known ?? 0) - (last?.at ?? 0)).toBeLessThan(200 * 1000);
  });

  it("comes to rest at the end", () => {
    const edge = new LiveEdge(0);
    for (let turn = 0; turn <= 20; turn += 1) {
      edge.sample(turn * 50, turn * 50);
      edge.at(turn * 50, 1000);
    }
    for (let now = 1000; now < 4000; now += FRAME) edge.at(now, 1000);
    expect(edge.at(4000, 1000)).toBe(1000);
  });

  it("jumps over a long pause", () => {
    const edge = new LiveEdge(1);
    edge.sample(0, 0);
    edge.at(0, 1e6);
    edge.sample(60_000, 60_000);
    expect(edge.at(60_016, 1e6)).toBeGreaterThan(58_000);
  });

  it("goes from sample to sample if the view is too short to move smoothly", () => {
    const edge = new LiveEdge(0);
    for (let turn = 0; turn < 10; turn += 1) {
      edge.sample(turn * 50, turn * 50_000);
      expect(edge.at(turn * 50 + 5, 100)).toBe(turn * 50_000);
    }
  });

  it("is unknown at first, and drops old samples", () => {
    const edge = new LiveEdge(5);
    expect(edge.isEmpty).toBe(true);
    expect(edge.at(0, 10)).toBeNull();
    for (let turn = 0; turn < 5000; turn += 1) edge.sample(turn, turn * 5);
    const kept = (edge as unknown as { samples: unknown[] }).samples;
    expect(kept.length).toBeLessThanOrEqual(128);
    // Not past the last sample: ignored.
    edge.sample(9999, 5);
    expect(kept.length).toBe((edge as unknown as { samples: unknown[] }).samples.length);
  });
});
