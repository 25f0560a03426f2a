import { describe, expect, it } from "vitest";
import type { OpeningProgress } from "../session/wire";
import { analysedSpan } from "./opening-progress";

const progress = (change: Partial<OpeningProgress>): OpeningProgress => ({
  phase: "reading",
  done: 0,
  total: null,
  events: null,
  density: null,
  ...change,
});

const density = { span: 400, counts: [10, 0, 30, 60] };

describe("progress of opening a trace", () => {
  it("reaches the time of the last analysed event", () => {
    const analysed = (done: number) =>
      analysedSpan(progress({ phase: "analysis", done, total: 100, events: 100, density }));
    expect(analysed(0)).toBe(0);
    expect(analysed(5)).toBe(0.125);
    expect(analysed(10)).toBe(0.5);
    expect(analysed(25)).toBe(0.625);
    expect(analysed(100)).toBe(1);
    expect(analysedSpan(progress({ phase: "indexing", density }))).toBe(1);
    expect(analysedSpan(progress({ phase: "decoding", done: 50, total: 100 }))).toBeNull();
  });
});
