import { describe, expect, it } from "vitest";
import { rulerMarks, stepFrom, timeLabel, timeStepFrom, unitFor } from "./ruler";
import { Scale } from "./transform";

const measure = (label: string) => label.length * 7;

describe("steps", () => {
  it("are 1, 2 or 5 times a power of ten", () => {
    expect(stepFrom(1)).toBe(1);
    expect(stepFrom(1.01)).toBe(2);
    expect(stepFrom(3)).toBe(5);
    expect(stepFrom(7)).toBe(10);
    expect(stepFrom(1000)).toBe(1000);
    expect(stepFrom(0.03)).toBeCloseTo(0.05, 12);
  });
});

describe("labels", () => {
  it("have enough decimals to differ", () => {
    expect(timeLabel(301_250_000, 50_000, unitFor(4e8))).toBe("301.25 ms");
    expect(timeLabel(1_500_000_000, 100_000_000, unitFor(2e9))).toBe("1.5 s");
    expect(timeLabel(2_000_000_000, 1_000_000_000, unitFor(2e9))).toBe("2 s");
    expect(timeLabel(-1_500, 100, unitFor(1_500))).toBe("−1.5 µs");
    expect(timeLabel(40, 1, unitFor(40))).toBe("40 ns");
  });

  it("have minutes, hours and days", () => {
    const seconds = (at: number, step: number) => timeLabel(at * 1e9, step * 1e9, unitFor(1e15));
    expect(seconds(30, 10)).toBe("30 s");
    expect(seconds(0, 3600)).toBe("0 s");
    expect(seconds(90, 0.5)).toBe("1 min 30.0 s");
    expect(seconds(3600, 60)).toBe("1 h 0 min");
    expect(seconds(7200, 3600)).toBe("2 h");
    expect(seconds(90_000, 1800)).toBe("1 d 1 h 0 min");
    expect(seconds(172_800, 86_400)).toBe("2 d");
    expect(timeStepFrom(61e9)).toBe(120e9);
    expect(timeStepFrom(13 * 3600e9)).toBe(86_400e9);
    expect(timeStepFrom(3 * 86_400e9)).toBe(5 * 86_400e9);
  });

  const windows: [number, number][] = [
    [0, 10],
    [0, 9_483_527],
    [4_233_000, 4_233_100],
    [9_007_199_254_000_000, 9_007_199_254_100_000],
    [123_456_789_012, 123_456_789_900],
    [-200, 10_000],
  ];
  for (const hz of [null, 25_000_000, 32_768, 3_000_000_000]) {
    for (const [from, to] of windows) {
      it(`do not overlap from ${from} to ${to} at ${hz ?? "no"} Hz`, () => {
        const scale = new Scale(from, to, 1500);
        const { major } = rulerMarks(scale, "time", hz, measure);
        expect(major.length).toBeGreaterThan(1);
        expect(major.length).toBeLessThan(60);
        for (const [index, mark] of major.entries()) {
          const next = major[index + 1];
          if (next === undefined) break;
          const room = next.x - mark.x - (measure(mark.label) + measure(next.label)) / 2;
          expect(room).toBeGreaterThan(0);
          expect(next.label).not.toBe(mark.label);
        }
      });
    }
  }

  it("name events in the middle of their slots, without fractions of events", () => {
    const scale = new Scale(0, 4, 800);
    const { major, minor } = rulerMarks(scale, "index", 1000, measure);
    expect(major.slice(0, 4)).toEqual(
      [0, 1, 2, 3].map((event) => ({ x: event * 200 + 100, label: String(event) })),
    );
    expect(minor).toEqual([]);
  });

  it("start at the first event", () => {
    const { major } = rulerMarks(new Scale(-1000, 1000, 1000), "time", null, measure);
    expect(major[0]?.label).toBe("0");
  });
});
